import { render } from 'ink-testing-library'
import { expect, test } from 'vitest'
import { Row, Rows } from '../../../components/parts/Row.tsx'

test('a row draws its line as it is', () => {
  const { lastFrame } = render(<Row line="● strategy  middleware" />)
  expect(lastFrame()).toBe('● strategy  middleware')
})

test('rows fill their height, so that what is drawn below stays in its place', () => {
  const { lastFrame, rerender } = render(<Rows lines={['one', 'two']} width={10} height={3} />)
  expect(lastFrame()).toBe('one\ntwo\n')
  rerender(<Rows lines={['one']} width={10} height={3} />)
  expect(lastFrame()).toBe('one\n\n')
})
