/** Parts of a JSON Schema or an OpenAPI document. Pure. */
import { isRecord } from '../../kernel/base/index.ts'

/** The targets of all `$ref` in `part`, and of those in the targets: JSON Pointer → value. */
function referencesOf(part: unknown, document: unknown): Record<string, unknown> {
  const found: Record<string, unknown> = {}
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const ref = isRecord(value) ? value.$ref : undefined
    if (typeof ref === 'string' && ref.startsWith('#/') && !(ref in found)) {
      found[ref] = targetOf(ref, document)
      visit(found[ref])
    }
    for (const inner of Object.values(value)) visit(inner)
  }
  visit(part)
  return found
}

const targetOf = (ref: string, document: unknown): unknown =>
  ref
    .slice(2)
    .split('/')
    .map(step => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((value, step) => (isRecord(value) ? value[step] : undefined), document)

/** The part with the definitions that it refers to. */
export function withReferences(part: Readonly<Record<string, unknown>>, document: unknown): Record<string, unknown> {
  const references = referencesOf(part, document)
  return Object.keys(references).length > 0 ? { ...part, references } : { ...part }
}
