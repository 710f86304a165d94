/** Random cases are the same in every ordinary run: what fails there fails for everybody. Long runs look for new ones. */
import fc from 'fast-check'

if (process.env['LONG'] !== '1') fc.configureGlobal({ seed: 20_260_728 })
