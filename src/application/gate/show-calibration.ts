import { type Calibration, calibrate } from '../../domain/gate/calibration.ts'
import type { DiagnosticCheck } from '../ports/machine.ts'
import type { Ports } from '../ports.ts'

export function showCalibration({ store }: Ports): Calibration[] {
  return store.decisions.statedBands().map(calibrate)
}

/** For whoever looks after the whole: what was stated, what held, and what that suggests. */
export function calibrationCheck(ports: Ports): DiagnosticCheck {
  const rows = showCalibration(ports)
  const passed = rows.reduce((sum, row) => sum + row.passed, 0)
  const corrected = rows.reduce((sum, row) => sum + row.corrected, 0)
  const suggestions = rows.flatMap(row => row.suggestion ?? [])
  const message =
    passed === 0
      ? 'no decision has passed at a stated confidence yet'
      : `${passed} decisions passed at a stated confidence, ${corrected} of them were corrected later`
  return {
    name: 'stated confidence',
    status: suggestions.length > 0 ? 'warn' : 'info',
    message,
    remedy: suggestions.length > 0 ? suggestions.join(' ') : null,
  }
}
