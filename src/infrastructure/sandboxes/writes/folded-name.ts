/** What a name is to a file system for which capitals and ways to compose letters make no difference. */
export function foldedName(path: Buffer): string {
  const text = path.toString('utf8')
  const isText = Buffer.from(text).equals(path)
  return isText ? text.normalize('NFC').toLowerCase() : path.toString('latin1')
}
