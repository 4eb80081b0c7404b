/** Messages of the fields of a form, by the JSON Pointers of the fields. Pure. */

export type FieldMessages = ReadonlyMap<string, string>

const isWithin = (pointer: string, field: string): boolean => pointer === field || pointer.startsWith(`${field}/`)

/** The message of a field. The message of a part of its value names the part: `color must be a text`. */
export function messageAt(errors: FieldMessages, field: string): string | undefined {
  const [pointer = '', text] = [...errors].find(([pointer]) => isWithin(pointer, field)) ?? []
  if (text === undefined) return undefined
  const part = pointer.slice(field.length + 1).replaceAll('/', '.')
  return part === '' ? text : `${part} ${text}`
}

/** @param fields pointers of the fields that a form has. */
export function sortMessages(errors: FieldMessages, fields: readonly string[]) {
  const isOwn = ([pointer]: readonly [string, string]) => fields.some(field => isWithin(pointer, field))
  const all = [...errors]
  return { own: new Map(all.filter(isOwn)), others: all.filter(error => !isOwn(error)) }
}

/**
 * The tab that shows a message of its fields: the selected one, or another if only that has one.
 * @param fields pointers of the fields of each tab.
 */
export function tabOfMessages(
  fields: Readonly<Record<string, readonly string[]>>,
  errors: FieldMessages,
  selected: string,
): string {
  const hasMessage = (tab: string) => sortMessages(errors, fields[tab] ?? []).own.size > 0
  return hasMessage(selected) ? selected : (Object.keys(fields).find(hasMessage) ?? selected)
}
