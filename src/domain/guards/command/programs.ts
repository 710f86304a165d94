/**
 * What is known of programs that run others. A program that is not here is no mistake: rules are tried on everything
 * that its arguments could mean.
 */

/** One that runs the words behind its own options. */
export interface Wrapper {
  /** Options without a value; letters may stand together. */
  readonly flags: readonly string[]
  /** Options whose value is the next word, or glued to them. */
  readonly valued: readonly string[]
  /** How many words of its own follow the options. */
  readonly own: number
  /** It adds nothing to what it runs, so it needs no rule of its own. */
  readonly adds: 'nothing' | 'something'
  /** NAME=value words stand before the command. */
  readonly assigns?: true
  /** The words are joined and read as a command line. */
  readonly joins?: true
  /** More words come when it runs. */
  readonly appends?: true
  /** Options whose value is a whole command line. */
  readonly lines?: readonly string[]
  /** With one of these it runs nothing. */
  readonly asks?: readonly string[]
}

const plain = { flags: [], valued: [], own: 0, adds: 'nothing' } as const

export const wrappers: Readonly<Record<string, Wrapper>> = {
  timeout: {
    ...plain,
    flags: ['-v', '-f', '-p', '--verbose', '--foreground', '--preserve-status'],
    valued: ['-k', '--kill-after', '-s', '--signal'],
    own: 1,
  },
  nice: { ...plain, valued: ['-n', '--adjustment'] },
  ionice: { ...plain, flags: ['-t'], valued: ['-c', '-n', '--class', '--classdata'] },
  nohup: plain,
  time: { ...plain, flags: ['-p', '-v', '--portability', '--verbose'] },
  command: { ...plain, flags: ['-p'], asks: ['-v', '-V'] },
  builtin: plain,
  exec: { ...plain, flags: ['-c', '-l'], valued: ['-a'] },
  env: {
    ...plain,
    flags: ['-i', '-', '-0', '-v', '--ignore-environment', '--null', '--debug'],
    valued: ['-u', '--unset', '-C', '--chdir'],
    lines: ['-S', '--split-string'],
    assigns: true,
  },
  setsid: { ...plain, flags: ['-c', '-f', '-w', '--ctty', '--fork', '--wait'] },
  stdbuf: { ...plain, valued: ['-i', '-o', '-e', '--input', '--output', '--error'] },
  busybox: plain,
  toybox: plain,
  eval: { ...plain, joins: true },
  xargs: {
    ...plain,
    flags: ['-0', '-r', '-t', '-x', '--null', '--no-run-if-empty', '--verbose', '--exit'],
    valued: ['-n', '-P', '-I', '-L', '-d', '-s', '-E', '--max-args', '--max-procs', '--delimiter'],
    appends: true,
  },
  watch: {
    flags: ['-d', '-t', '-b', '-e', '-g', '-c', '--no-title', '--beep', '--errexit', '--chgexit', '--color'],
    valued: ['-n', '--interval'],
    own: 0,
    adds: 'something',
    joins: true,
  },
  sudo: {
    flags: ['-n', '-E', '-H', '-S', '-k', '-b', '-A', '-P', '--non-interactive', '--preserve-env'],
    valued: ['-u', '-g', '-h', '-p', '-C', '-D', '-R', '-T', '-r', '-t', '--user', '--group', '--chdir'],
    own: 0,
    adds: 'something',
    assigns: true,
  },
  doas: { flags: ['-n'], valued: ['-u', '-C'], own: 0, adds: 'something' },
  chroot: { flags: [], valued: ['--userspec', '--groups'], own: 1, adds: 'something' },
}

export const shells: ReadonlySet<string> = new Set([
  'sh',
  'bash',
  'dash',
  'ash',
  'ksh',
  'mksh',
  'zsh',
  'rbash',
])

/** Options of a shell that change nothing about which commands run. */
export const quietShellOption = /^(-[ceuxv]+|--norc|--noprofile|--posix)$/

/** Shells by another name for what they read: they run the lines of their input, some of them later. */
export const inputRunners: ReadonlySet<string> = new Set(['at', 'batch', 'crontab'])

/** Programs with commands of their own, one of which runs others: what they read cannot be judged. */
export const scriptReaders: ReadonlySet<string> = new Set(
  'ed red ex vi vim nvim view rvim emacs m4 gdb lldb sqlite3 psql mysql mariadb ftp sftp lftp telnet dc gnuplot'.split(
    ' ',
  ),
)

/** Options of theirs whose value is such a script, or a file of one. */
export const scriptOptions = /^(-[cesS]|-ex|-x|-f|--eval|--command|--execute|--batch|--script|-es)(=.*)?$/

/** Programs that pass on what a file holds: a copy of a program has a name that no rule knows. */
export const copiers: ReadonlySet<string> = new Set('cp mv ln cat head tail tee'.split(' '))

export interface Interpreter {
  /** Options whose value is code. */
  readonly code: readonly string[]
  /** Values of -m that make the rest code. */
  readonly modules?: readonly string[]
  /** Without a file it reads code from its input. */
  readonly reads: boolean
}

const scripted = { code: ['-e', '-E', '-c', '--eval', '--execute', '-r', '--run'], reads: true } as const

/** Modules that come with Python and run what stands behind their name, or what they read. */
const codeModules =
  'timeit code pdb trace profile cProfile runpy asyncio idlelib doctest sqlite3 zipapp'.split(' ')

/** Programs that run code of another language, which rules about commands cannot look into. */
export function interpreterCalled(program: string): Interpreter | null {
  if (/^(python|pypy)[\d.]*w?$/.test(program)) return { code: ['-c'], modules: codeModules, reads: true }
  if (/^(node|nodejs)$/.test(program)) return { code: ['-e', '-p', '--eval', '--print', '-pe'], reads: true }
  if (/^(deno|bun)$/.test(program))
    return { code: ['-e', 'eval', '--eval', '-p', '--print', '-'], reads: false }
  if (program === 'php')
    return {
      code: ['-r', '-B', '-R', '-E', '--run', '--process-begin', '--process-code', '--process-end'],
      reads: true,
    }
  if (/^(pwsh|powershell)$/.test(program))
    return {
      code: ['-c', '-e', '-ec', '-command', '-encodedcommand', '-commandwithargs', '-cwa'],
      reads: true,
    }
  if (
    /^(perl|ruby|lua|luajit|Rscript|osascript|julia|guile|tclsh|expect|fish|nu|elvish|ipython|irb|pry|jruby|raku|groovy|scala|erl|elixir|iex|clojure|clj|ghc|ghci|ocaml|sbcl|clisp|octave|tsx|ts-node|swift|jshell|qjs)[\d.]*$/i.test(
      program,
    )
  )
    return scripted
  return null
}

/** Programs whose words are never commands, however they look. */
export const plainPrograms: ReadonlySet<string> = new Set(
  `: true false echo printf pwd cd pushd popd test [ ls dir cat head tail wc sort uniq cut tr nl tac rev paste join comm
  diff cmp grep egrep fgrep mkdir rmdir rm touch cp mv ln chmod chown chgrp stat file du df date cal seq sleep basename
  dirname realpath readlink which whereis type id whoami uname hostname tee sha256sum md5sum cksum jq kill exit return
  break continue shift wait umask export readonly local declare typeset unset set read apropos tsc eslint prettier biome`.split(
    /\s+/,
  ),
)

/** Those of git that take no command, in no option. */
export const plainGit: ReadonlySet<string> = new Set(
  `add am apply blame branch cat-file checkout cherry-pick clean commit describe diff init log ls-files merge mv reflog
  remote reset restore rev-list rev-parse revert rm shortlog show stash status switch tag`.split(/\s+/),
)

/** Options of git before its command that take the next word. */
export const gitValued: readonly string[] = [
  '-C',
  '-c',
  '--git-dir',
  '--work-tree',
  '--namespace',
  '--exec-path',
  '--config-env',
  '--super-prefix',
]

/** Those that change nothing about what it does. */
export const gitQuiet: readonly string[] = ['--no-pager', '-P', '--no-optional-locks', '--literal-pathspecs']

/** Short options and the long ones that mean the same, for the programs that rules are written about most. */
export const sameOptions: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  rm: { '-r': ['-R', '--recursive'], '-f': ['--force'], '-d': ['--dir'], '-i': ['--interactive'] },
  cp: { '-r': ['-R', '-a', '--recursive', '--archive'], '-f': ['--force'] },
  mv: { '-f': ['--force'] },
  ln: { '-s': ['--symbolic'], '-f': ['--force'] },
  mkdir: { '-p': ['--parents'] },
  chmod: { '-R': ['--recursive'] },
  chown: { '-R': ['--recursive'] },
  git: {
    '-f': ['--force'],
    '-d': ['--delete'],
    '-D': [],
    '-n': ['--no-verify', '--dry-run'],
    '-a': ['--all'],
    '-m': ['--message'],
    '-u': ['--set-upstream'],
  },
  curl: {
    '-o': ['--output'],
    '-X': ['--request'],
    '-d': ['--data'],
    '-k': ['--insecure'],
    '-T': ['--upload-file'],
  },
  wget: { '-O': ['--output-document'] },
  npm: { '-g': ['--global'], '-f': ['--force'] },
}

/** Builtins that take names of variables. The index of such a name is evaluated, whatever quotes stand around it. */
export const namers: ReadonlySet<string> = new Set(
  'test [ printf read unset declare typeset local export readonly let mapfile readarray wait'.split(' '),
)
export const substitutedIndex = /\[.*(\$\(|`|[<>]\()/s

/** What needs no rule: it changes nothing outside of the shell that runs the line. */
export const freeBuiltins: ReadonlySet<string> = new Set([
  ':',
  'true',
  'false',
  'echo',
  'pwd',
  'test',
  '[',
  'exit',
  'return',
  'break',
  'continue',
  'shift',
  'wait',
])
