/** Names in generated TypeScript. Pure. */

const words = (text: string): string[] =>
  text
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** `upload-intent` → `uploadIntent`; `source_id` → `sourceId`. */
export function camelCase(text: string): string {
  const [first = '', ...rest] = words(text)
  const name = first.charAt(0).toLowerCase() + first.slice(1) + rest.map(capitalized).join('')
  return /^\d/.test(name) ? `_${name}` : name
}

/** `billing.credit.adjusted` → `BillingCreditAdjusted`. */
export function identifier(text: string): string {
  const name = words(text).map(capitalized).join('')
  return name === '' || /^\d/.test(name) ? `_${name}` : name
}

/** A property name, quoted where it must be. */
export const propertyKey = (name: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(name)
    ? name
    : `'${name.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`

/** `.name` or `['name']`. */
export const member = (name: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${propertyKey(name)}]`
