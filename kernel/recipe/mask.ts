/** Replaces the secrets of a recipe with `***`. */
import type { CheckedRecipe } from './check.ts'
import { type Json, toDraft07 } from './draft07.ts'
import { type Path, pointer } from './tree.ts'

export const MASK = '***'
/** Keys that are always secret. */
const SECRET_KEY = /secret|password|passphrase/i
/** Keys that are secret if their value comes from the environment. */
const SECRET_KEY_FROM_ENV = /secret|password|passphrase|token|key|credential/i

type MaskedParts = Pick<CheckedRecipe, 'value' | 'services' | 'modules' | 'fromEnv'>

/** The options of one module; null if the recipe doesn't have it. */
export function maskOptions(checked: MaskedParts, key: string): unknown {
  const entry = checked.modules.find(other => other.key === key)
  if (!entry) return null
  const path = entry.source === 'larder' ? ['modules', key] : ['modules', key, 'options']
  return mask(entry.options, schemaOf(entry.module.options), path, checked.fromEnv)
}

/** The whole recipe. */
export function maskRecipe(checked: MaskedParts): unknown {
  const sections = Object.assign(
    {},
    ...[...checked.services, ...checked.modules].map(({ module }) => module.sections ?? {}),
  ) as Record<string, unknown>
  const modules = Object.entries(checked.value.modules).map(([key, value]) => {
    const used = typeof value === 'object' && value !== null && 'use' in value
    const options = checked.modules.some(entry => entry.key === key) ? maskOptions(checked, key) : MASK
    return [key, used ? { ...value, options } : options]
  })
  return Object.fromEntries(
    Object.entries(checked.value).map(([key, value]) => [
      key,
      key === 'modules' ? Object.fromEntries(modules) : mask(value, schemaOf(sections[key]), [key], checked.fromEnv),
    ]),
  )
}

const schemaOf = (schema: unknown): Json | undefined => (schema ? toDraft07(schema).schema : undefined)

function mask(value: unknown, schema: Json | undefined, path: Path, fromEnv: ReadonlySet<string>): unknown {
  if (schema?.writeOnly === true) return value === undefined || value === '' ? value : MASK
  if (Array.isArray(value))
    return value.map((item, index) => mask(item, schema?.items as Json | undefined, [...path, index], fromEnv))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, mask(inner, propertyOf(schema, key), [...path, key], fromEnv)]),
    )
  return maskScalar(value, path, fromEnv)
}

function propertyOf(schema: Json | undefined, key: string): Json | undefined {
  const named = (schema?.properties as Record<string, Json> | undefined)?.[key]
  const [pattern] = Object.values((schema?.patternProperties ?? {}) as Record<string, Json>)
  return named ?? pattern
}

function maskScalar(value: unknown, path: Path, fromEnv: ReadonlySet<string>): unknown {
  if (typeof value !== 'string' || value === '') return value
  const name = path.findLast(step => typeof step === 'string') as string
  if (SECRET_KEY.test(name) || (SECRET_KEY_FROM_ENV.test(name) && fromEnv.has(pointer(path)))) return MASK
  // Credentials in a URL: smtp://user:password@host
  return value.replace(/(\b[a-z][a-z0-9+.-]*:\/\/)[^/@\s]+@/gi, `$1${MASK}@`)
}
