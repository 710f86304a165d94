import { describe, expect, it } from 'vitest'
import { redact } from '../../src/domain/redact.ts'

// Put together here, so that no scanner takes this file for a leak.
const A36 = 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5'
const secrets: [string, string, string][] = [
  ['github-token', `push with gh${'p_'}${A36} now`, 'push with [redacted:github-token] now'],
  ['aws-key', `AKI${'A'}ABCDEFGHIJKLMNOP`, '[redacted:aws-key]'],
  ['model-key', `key sk-${'ant-'}api03-abcdefghijklmnop`, 'key [redacted:model-key]'],
  ['slack-token', `xox${'b-'}1234567890-abcdef`, '[redacted:slack-token]'],
  ['npm-token', `npm${'_'}${A36}`, '[redacted:npm-token]'],
  ['jwt', `eyJ${'hbGciOiJI'}.eyJzdWIiOiIx.SflKxwRJSMeK`, '[redacted:jwt]'],
  [
    'authorization',
    'curl -H "Authorization: Bearer abc123def456ghi7"',
    'curl -H "Authorization: Bearer [redacted:authorization]"',
  ],
  ['url-password', 'postgres://ada:hunter2x@db/shop', 'postgres://ada:[redacted:url-password]@db/shop'],
  ['named-secret', 'DB_PASSWORD=hunter2!! npm start', 'DB_PASSWORD=[redacted:named-secret] npm start'],
  ['named-secret', '{"api_key": "q1w2e3r4t5"}', '{"api_key": "[redacted:named-secret]"}'],
  ['named-secret', "clientSecret: 'q1w2e3r4t5'", "clientSecret: '[redacted:named-secret]'"],
  ['named-secret', 'my.deep_APP_API_KEY=q1w2e3r4t5', 'my.deep_APP_API_KEY=[redacted:named-secret]'],
  [
    'private-key',
    `-----BEGIN ${'RSA '}PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nrest`,
    '[redacted:private-key]\nrest',
  ],
]

const innocent = [
  'Reset the password of a user who forgot it',
  'token: string',
  'const token = process.env.API_TOKEN',
  'TOKEN=$TOKEN npm publish',
  'password: ${{ secrets.DEPLOY_PASSWORD }}',
  'password=<your password>',
  'the secret: nobody reads it',
  'a3f5c9e2b1d4f6a8c0e2b4d6f8a0c2e4b6d8f0a2',
  '01JZZZZZZZZZZZZZZZZZZZZZDB',
  '3f2504e0-4f89-11d3-9a0c-0305e82c3301',
  'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  'https://example.org:8080/path',
  'src/auth/token.ts',
  'requireSession(path, handler)',
  'tokenizer: fast-tokenizer',
  'sk-button is a class of styles',
  'basic knowledge of TypeScript',
  'next_token: undefined',
  'const token = readToken(request)',
  'accessToken: user.accessToken,',
]

/** Each would take minutes if the search began anew at every word of it. */
const long = ['snake_', 'a.', 'QmFzZTY0dXJs_', 'eyJ-', 'basic ', 'token: '].map(
  piece => [piece, piece.repeat(400_000 / piece.length)] as const,
)

describe('redaction', () => {
  it.each(secrets)('finds a %s', (kind, text, cleaned) => {
    const { value, redactions } = redact({ input: { command: text } })
    expect(value).toEqual({ input: { command: cleaned } })
    expect(redactions).toEqual([
      { path: '/input/command', kind, start: cleaned.indexOf('[redacted'), length: expect.any(Number) },
    ])
    expect(redact(value).redactions).toEqual([])
  })

  it.each(innocent)('leaves alone: %s', text => {
    expect(redact({ note: text, list: [text] })).toEqual({
      value: { note: text, list: [text] },
      redactions: [],
    })
  })

  it.each(long)('reads a long text of nothing but %s once', (_, text) => {
    expect(redact({ text }).redactions).toEqual([])
  })

  it('takes whole values under names that hold secrets, and keeps the structure', () => {
    const args = {
      'a/b': { password: 'correct-Horse9', token: 'string', tokens: 12 },
      api_key: null,
      githubToken: 'q1w2e3r4t5',
      list: [true],
    }
    const { value, redactions } = redact(args)
    expect(value).toEqual({
      'a/b': { password: '[redacted:named-secret]', token: 'string', tokens: 12 },
      api_key: null,
      githubToken: '[redacted:named-secret]',
      list: [true],
    })
    expect(redactions.map(({ path }) => path)).toEqual(['/a~1b/password', '/githubToken'])
  })
})
