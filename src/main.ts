import manifest from '../package.json' with { type: 'json' }

if (process.argv.includes('--version')) {
  process.stdout.write(`${manifest.version}\n`)
} else {
  process.stderr.write('usage: agents --version\n')
  process.exitCode = 2
}
