/** Another process that keeps the store locked for a while: `node locker.ts FILE MS`. */
import { writeSync } from 'node:fs'
import SQLite from 'better-sqlite3'

const [file = '', ms = '0'] = process.argv.slice(2)
const db = new SQLite(file)
db.exec('BEGIN IMMEDIATE')
writeSync(1, 'locked\n')
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(ms))
db.exec('COMMIT')
db.close()
