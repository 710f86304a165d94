import { join } from 'node:path'

/**
 * What builds need from a home folder: tools that were installed there, and caches of what was downloaded. Nothing that
 * holds a login as a whole; where a login lies inside of one of these, secret-places.ts hides it again.
 */
export function toolPlaces(home: string): readonly string[] {
  return belowHome.map(name => join(home, name))
}

/** Where NixOS has its programs and drivers. */
export const systemTools: readonly string[] = ['/run/current-system', '/run/opengl-driver']

const belowHome = [
  // what people install for themselves
  ...['.local/bin', '.local/lib', '.local/include', '.local/share/man', '.nix-profile', '.local/state/nix'],
  ...['.linuxbrew', '.asdf', '.local/share/mise', '.local/share/rtx', '.proto', '.pkgx'],
  // JavaScript
  ...['.nvm', '.volta', '.fnm', '.local/share/fnm', '.nodenv', '.n', '.npm-global', '.npm-packages'],
  ...['.npm/_cacache', '.npm/_npx', '.yarn', '.config/yarn/global', '.cache/yarn', '.local/share/pnpm'],
  ...['.pnpm-store', '.cache/pnpm', '.cache/node', '.bun', '.deno', '.cache/deno', '.cache/typescript'],
  ...['.cache/ms-playwright', '.cache/puppeteer', '.cache/Cypress', '.cache/electron', '.cache/prisma'],
  // Python
  ...['.pyenv', '.rye', '.local/share/uv', '.cache/uv', '.cache/pip', '.local/share/pipx', '.local/pipx'],
  ...['.cache/pypoetry', '.local/share/virtualenvs', '.local/share/hatch', '.cache/pre-commit'],
  ...['miniconda3', 'anaconda3', 'miniforge3', 'mambaforge', 'micromamba', '.conda/envs', '.conda/pkgs'],
  // Ruby, PHP, Perl
  ...['.rbenv', '.rvm', '.gem', '.local/share/gem', '.composer/vendor', '.composer/cache'],
  ...['.config/composer/vendor', '.cache/composer', '.phpenv', '.plenv', 'perl5'],
  // Rust, Go, C, C++, Zig
  ...['.cargo', '.rustup', 'go/pkg', 'go/bin', 'sdk', '.gvm', '.goenv', '.cache/go-build'],
  ...['.ccache', '.cache/ccache', '.cache/sccache', '.conan', '.conan2', '.cache/zig', '.cache/bazelisk'],
  // Java and its relatives, Android
  ...['.sdkman', '.jenv', '.jdks', '.jabba', '.m2/repository', '.m2/wrapper', '.gradle/wrapper'],
  ...['.gradle/caches', '.gradle/jdks', '.gradle/native', '.ivy2/cache', '.sbt/boot', '.cache/coursier'],
  ...['.local/share/coursier', '.konan', 'Android/Sdk', '.android/cache'],
  // the others
  ...['.dotnet', '.nuget/packages', '.ghcup', '.cabal', '.stack', '.opam', '.elan', '.juliaup', '.julia'],
  ...['.mix', '.kiex', '.asdf-vm', '.pub-cache', 'flutter', '.swiftly', '.luarocks'],
]

/** Variables by which people put such folders elsewhere; each may name several, as PATH does. */
export const toolVariables: readonly string[] = [
  ...['NVM_DIR', 'NVM_BIN', 'VOLTA_HOME', 'FNM_DIR', 'FNM_MULTISHELL_PATH', 'N_PREFIX', 'PNPM_HOME'],
  ...['BUN_INSTALL', 'DENO_DIR', 'DENO_INSTALL', 'COREPACK_HOME', 'PLAYWRIGHT_BROWSERS_PATH', 'NODE_PATH'],
  ...['PYENV_ROOT', 'CONDA_PREFIX', 'VIRTUAL_ENV', 'PIPX_HOME', 'UV_CACHE_DIR', 'PIP_CACHE_DIR'],
  ...['RBENV_ROOT', 'GEM_HOME', 'GEM_PATH', 'CARGO_HOME', 'RUSTUP_HOME', 'GOROOT', 'GOMODCACHE', 'GOBIN'],
  ...['JAVA_HOME', 'SDKMAN_DIR', 'ANDROID_HOME', 'ANDROID_SDK_ROOT', 'ANDROID_NDK_HOME', 'MAVEN_HOME'],
  ...['GRADLE_HOME', 'DOTNET_ROOT', 'PUB_CACHE', 'FLUTTER_ROOT', 'ASDF_DIR', 'ASDF_DATA_DIR'],
  ...[
    'MISE_DATA_DIR',
    'OPAMROOT',
    'OPAM_SWITCH_PREFIX',
    'NIX_PROFILES',
    'HOMEBREW_PREFIX',
    'JULIA_DEPOT_PATH',
  ],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE'],
]
