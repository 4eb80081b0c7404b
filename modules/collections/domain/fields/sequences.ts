/** The numbers of rows: `T-{0000}` gives `T-0001`, `T-0002`, …, and `T-10000` after `T-9999`. Pure. */

export const SEQUENCE_PATTERN = '^[^{}]*\\{0{1,12}\\}[^{}]*$'
const FORM = /^([^{}]*)\{(0{1,12})\}([^{}]*)$/

export interface SequenceForm {
  readonly prefix: string
  /** The fewest digits. */
  readonly digits: number
  readonly suffix: string
}

export function sequenceForm(source: string): SequenceForm {
  const [, prefix = '', zeros = '0', suffix = ''] = FORM.exec(source) ?? []
  return { prefix, digits: zeros.length, suffix }
}

/** Digits of a number that an import can give. */
const MAX_DIGITS = 15

/** Whether a text is a number of this form. */
export function isNumbered(source: string, text: string): boolean {
  const { prefix, digits, suffix } = sequenceForm(source)
  if (!text.startsWith(prefix) || !text.endsWith(suffix)) return false
  const number = text.slice(prefix.length, text.length - suffix.length)
  const isNumber = /^\d+$/.test(number) && number.length >= digits && number.length <= MAX_DIGITS
  return isNumber && (number.length === digits || !number.startsWith('0')) && Number(number) > 0
}
