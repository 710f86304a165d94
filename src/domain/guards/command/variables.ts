/** What assigning a variable can make a program do. */

/** Variables that cannot make a program run another. */
const quietVariable =
  /^(LANG|LANGUAGE|LC_[A-Z]+|TZ|CI|NO_COLOR|FORCE_COLOR|CLICOLOR|TERM|COLUMNS|LINES|NODE_ENV|RUST_BACKTRACE|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE)$/

/** Variables whose value is a command that some program runs. */
const commandVariable =
  /^(GIT_(SSH|SSH_COMMAND|PAGER|EDITOR|SEQUENCE_EDITOR|EXTERNAL_DIFF|ASKPASS|PROXY_COMMAND)|PAGER|MANPAGER|BAT_PAGER|EDITOR|VISUAL|FCEDIT|BROWSER|SHELL|PROMPT_COMMAND|PS4|LESSOPEN|LESSCLOSE|(RSYNC|CVS)_RSH|SVN_SSH|(SSH|SUDO)_ASKPASS|FZF_DEFAULT_COMMAND|RUSTC(_WORKSPACE)?_WRAPPER|MAKE_?SHELL)$/

/** Variables that make programs load code or look for programs and settings elsewhere: what runs then cannot be told. */
const loadingVariable =
  /^(PATH|LD_[A-Z_]+|DYLD_[A-Z_]+|GCONV_PATH|BASH_ENV|ENV|BASHOPTS|SHELLOPTS|BASH_FUNC_.*|ZDOTDIR|FPATH|HOME|XDG_CONFIG_(HOME|DIRS)|GIT_(EXEC_PATH|CONFIG.*|DIR|COMMON_DIR|TEMPLATE_DIR|ALLOW_PROTOCOL)|PYTHON(PATH|HOME|STARTUP|INSPECT|BREAKPOINT|USERBASE)|NODE_(OPTIONS|PATH)|npm_config_.*|NPM_CONFIG_.*|PERL5(OPT|LIB|DB)|PERLLIB|RUBY(OPT|LIB)|GEM_(HOME|PATH)|BUNDLE_GEMFILE|_?JAVA_(TOOL_)?OPTIONS|JDK_JAVA_OPTIONS|CLASSPATH|(MAVEN|GRADLE|JAVA|SBT)_OPTS|PHPRC|PHP_INI_SCAN_DIR|LUA_(INIT|PATH|CPATH).*|R_(PROFILE|ENVIRON).*|(GNU)?MAKEFLAGS|MAKEFILES|TAR_OPTIONS|OPENSSL_(CONF|ENGINES|MODULES)|VIMINIT|EXINIT|VIMRUNTIME|CARGO_(HOME|BUILD_.*|TARGET_.*)|DOCKER_HOST|KUBECONFIG)$/

export type VariableEffect = 'none' | 'runs its value' | 'loads code' | 'unknown'

export function effectOf(variable: string): VariableEffect {
  if (quietVariable.test(variable)) return 'none'
  if (commandVariable.test(variable)) return 'runs its value'
  return loadingVariable.test(variable) ? 'loads code' : 'unknown'
}
