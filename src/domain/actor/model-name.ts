/** `model` leaves the choice to the settings; PROVIDER/MODEL names one. */
export function isModelName(name: string): boolean {
  return name === 'model' || (name.includes('/') && !/^(?:builtin|local)\//.test(name))
}
