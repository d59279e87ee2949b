// Tests run commands without a box, as machines without bubblewrap do, unless they ask for one: what they measure is the same everywhere.
process.env.BEADSMITH_SANDBOX ??= 'off';
process.env.BEADSMITH_UNATTENDED_WITHOUT_SANDBOX ??= '1';
// What scripted answers take says nothing of real tickets, and is not to be in the estimates of the person who runs the tests.
process.env.BEADSMITH_SCRIPTED ??= '1';
