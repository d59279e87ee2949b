// Tests run commands without a box, as machines without bubblewrap do, unless they ask for one: what they measure is the same everywhere.
process.env.BEADSMITH_SANDBOX ??= 'off';
process.env.BEADSMITH_UNATTENDED_WITHOUT_SANDBOX ??= '1';
