import type { Exercise } from '../exercise.ts';

/** Scripts for sh. */
export const shellScripts: readonly Exercise[] = [
  {
    name: 'reverse-string',
    spec: 'reverse.sh TEXT prints the text backwards.',
    call: 'reverse',
    cases: [
      [['robot'], 'tobor'],
      [['racecar'], 'racecar'],
      [[''], ''],
      [['a b'], 'b a'],
      [['1*2'], '2*1'],
    ],
    missed: 1,
    heldOut: [
      [["I'm hungry!"], "!yrgnuh m'I"],
      [['x  y z'], 'z y  x'],
    ],
    right: `left=$1
out=
while [ -n "$left" ]; do
  rest=\${left#?}
  out="\${left%"$rest"}$out"
  left=$rest
done
printf '%s\\n' "$out"
`,
    wrong: `left=$1
out=
while [ -n "$left" ]; do
  rest=\${left#?}
  out="\${left%$rest}$out"
  left=$rest
done
printf '%s\\n' "$out"
`,
  },
  {
    name: 'hamming',
    spec: 'hamming.sh A B prints in how many places two strands differ, or "error" if they are not equally long.',
    call: 'hamming',
    cases: [
      [['', ''], '0'],
      [['A', 'A'], '0'],
      [['G', 'T'], '1'],
      [['GGACTGA', 'GGACTGA'], '0'],
      [['AATG', 'AAA'], 'error'],
    ],
    missed: 1,
    heldOut: [
      [['GGACGGATTCTG', 'AGGACGGATTCT'], '9'],
      [['', 'G'], 'error'],
    ],
    right: `[ \${#1} -eq \${#2} ] || { echo error; exit; }
a=$1 b=$2 n=0
while [ -n "$a" ]; do
  x=\${a%"\${a#?}"} y=\${b%"\${b#?}"}
  [ "$x" = "$y" ] || n=$((n + 1))
  a=\${a#?} b=\${b#?}
done
echo $n
`,
    wrong: `a=$1 b=$2 n=0
while [ -n "$a" ]; do
  x=\${a%"\${a#?}"} y=\${b%"\${b#?}"}
  [ "$x" = "$y" ] || n=$((n + 1))
  a=\${a#?} b=\${b#?}
done
echo $n
`,
  },
  {
    name: 'raindrops',
    spec: 'raindrops.sh N prints Pling, Plang and Plong for the factors 3, 5 and 7, all that apply; else the number.',
    call: 'raindrops',
    cases: [
      [[1], '1'],
      [[3], 'Pling'],
      [[5], 'Plang'],
      [[7], 'Plong'],
      [[15], 'PlingPlang'],
    ],
    missed: 1,
    heldOut: [
      [[105], 'PlingPlangPlong'],
      [[8], '8'],
      [[35], 'PlangPlong'],
    ],
    right: `out=
[ $(($1 % 3)) -ne 0 ] || out=Pling
[ $(($1 % 5)) -ne 0 ] || out=\${out}Plang
[ $(($1 % 7)) -ne 0 ] || out=\${out}Plong
echo "\${out:-$1}"
`,
    wrong: `if [ $(($1 % 3)) -eq 0 ]; then echo Pling
elif [ $(($1 % 5)) -eq 0 ]; then echo Plang
elif [ $(($1 % 7)) -eq 0 ]; then echo Plong
else echo "$1"; fi
`,
  },
  {
    name: 'two-fer',
    spec: 'twofer.sh [NAME] prints "One for NAME, one for me."; without a name it says "you".',
    call: 'twofer',
    cases: [
      [['Alice'], 'One for Alice, one for me.'],
      [['Bob'], 'One for Bob, one for me.'],
      [['John Smith'], 'One for John Smith, one for me.'],
      [['*'], 'One for *, one for me.'],
      [[], 'One for you, one for me.'],
    ],
    missed: 1,
    heldOut: [
      [['Do-yun'], 'One for Do-yun, one for me.'],
      [[''], 'One for you, one for me.'],
    ],
    right: `echo "One for \${1:-you}, one for me."
`,
    wrong: `echo "One for $1, one for me."
`,
  },
  {
    name: 'grains',
    spec: 'grains.sh N prints the grains on field N of a chessboard, from 1 to 64; "error" for another field.',
    call: 'grains',
    cases: [
      [[1], '1'],
      [[2], '2'],
      [[16], '32768'],
      [[0], 'error'],
      [[65], 'error'],
    ],
    missed: 2,
    heldOut: [
      [[32], '2147483648'],
      [[-1], 'error'],
      [[3], '4'],
    ],
    right: `if [ "$1" -lt 1 ] || [ "$1" -gt 64 ]; then echo error; exit; fi
printf '%u\\n' $((1 << ($1 - 1)))
`,
    wrong: `printf '%u\\n' $((1 << ($1 - 1)))
`,
  },
  {
    name: 'armstrong',
    spec: 'armstrong.sh N prints true if the number is the sum of its digits, each to the power of their count; else false.',
    call: 'armstrong',
    cases: [
      [[0], 'true'],
      [[153], 'true'],
      [[100], 'false'],
      [[5], 'true'],
      [[9474], 'true'],
    ],
    missed: 2,
    heldOut: [
      [[9475], 'false'],
      [[10], 'false'],
      [[9926315], 'true'],
    ],
    right: `left=$1 sum=0
while [ -n "$left" ]; do
  digit=\${left%"\${left#?}"} power=1 at=0
  while [ $at -lt \${#1} ]; do power=$((power * digit)) at=$((at + 1)); done
  sum=$((sum + power))
  left=\${left#?}
done
[ $sum -eq "$1" ] && echo true || echo false
`,
    wrong: `left=$1 sum=0
while [ -n "$left" ]; do
  digit=\${left%"\${left#?}"}
  sum=$((sum + digit * digit * digit))
  left=\${left#?}
done
[ $sum -eq "$1" ] && echo true || echo false
`,
  },
  {
    name: 'bob',
    spec: 'bob.sh TEXT: "Sure." to a question, "Whoa, chill out!" to capitals, "Calm down!" to a question in capitals, "Fine." to silence, else "Whatever."',
    call: 'bob',
    cases: [
      [['Tom-ay-to'], 'Whatever.'],
      [['WATCH OUT!'], 'Whoa, chill out!'],
      [['Does this cryogenic chamber make me look fat?'], 'Sure.'],
      [['1, 2, 3'], 'Whatever.'],
      [['WHAT?'], 'Calm down!'],
      [['   '], 'Fine.'],
    ],
    missed: 2,
    heldOut: [
      [['4?'], 'Sure.'],
      [['Okay if like my spacebar quite a bit?  '], 'Sure.'],
      [['1, 2, GO!'], 'Whoa, chill out!'],
      [['HOW?  '], 'Calm down!'],
    ],
    right: `text=$(printf '%s' "$1" | sed 's/[[:space:]]*$//')
loud=
case $text in *[a-z]*) ;; *[A-Z]*) loud=yes ;; esac
case $text in
'') echo 'Fine.' ;;
*\\?) [ -n "$loud" ] && echo 'Calm down!' || echo 'Sure.' ;;
*) [ -n "$loud" ] && echo 'Whoa, chill out!' || echo 'Whatever.' ;;
esac
`,
    wrong: `case $1 in
*\\?) echo 'Sure.' ;;
*[a-z]*) echo 'Whatever.' ;;
*[A-Z]*) echo 'Whoa, chill out!' ;;
*) echo 'Whatever.' ;;
esac
`,
  },
];
