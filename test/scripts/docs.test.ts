import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { generatedDocs } from '../../scripts/docs.ts'

test.each(generatedDocs)('$file is what the tables say; if not, run npm run docs', ({ file, text }) => {
  expect(readFileSync(file, 'utf8')).toBe(text())
})
