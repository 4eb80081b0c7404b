/** Checks that the submissions of a form fit the rows that they create. */
import { didYouMean, isRecord, type RecipeDiagnostic, type ValidatedRecipe } from '@larder-dev/larder/kernel'
import { pathOf } from '../domain/row-values.ts'
import { type ResolvedSchema, resolveSchema } from '../domain/schema-resolution.ts'
import type { Json } from '../domain/schema-traversal.ts'
import type { FormTarget, FormTargetField } from '../ports.ts'
import type { RecipeForm } from './sections.ts'

type Path = RecipeDiagnostic['path']

export function formTargetsOf(recipe: Pick<ValidatedRecipe, 'modules' | 'section'>): readonly FormTarget[] | undefined {
  const finds = recipe.modules.flatMap(({ module }) => {
    const find: unknown = Reflect.get(module, 'formTargets')
    return typeof find === 'function' ? [find as (given: typeof recipe) => readonly FormTarget[]] : []
  })
  return finds.length === 0 ? undefined : finds.flatMap(find => find(recipe))
}

/** @param schema of the form, a valid one. @param targets undefined without a module that has some. */
export function validateInto(
  { into, access = 'tenant' }: RecipeForm,
  schema: Json,
  form: Path,
  targets: readonly FormTarget[] | undefined,
): RecipeDiagnostic[] {
  if (!into) return []
  const path = [...form, 'into']
  if (!targets)
    return [
      {
        code: 'missing_port',
        path,
        message: 'No module has collections',
        hint: 'Add the module collections, or remove into',
      },
    ]
  const target = targets.find(({ collection }) => collection === into.collection)
  if (!target)
    return [
      {
        code: 'unknown_collection',
        path: [...path, 'collection'],
        message: `Unknown collection "${into.collection}"`,
        hint: suggest(
          into.collection,
          targets.map(({ collection }) => collection),
          'Collections',
        ),
      },
    ]
  return [
    ...(access === 'public' && !target.isOpen ? [closed(target, path)] : []),
    ...Object.entries(into.map).flatMap(([name, field]) =>
      mappingFaults(target, name, field, { schema, access, path: [...path, 'map', name] }),
    ),
    ...missingFaults(target, into.map, path),
  ]
}

const closed = ({ collection }: FormTarget, path: Path): RecipeDiagnostic => ({
  code: 'invalid_option',
  path: [...path, 'collection'],
  message: `The form is public, but people who are not signed in can't create rows of ${collection}`,
  hint: `Add anyone: true under collections.${collection}.access.create, or remove access: public`,
})

function missingFaults({ collection, fields }: FormTarget, map: Readonly<Record<string, string>>, path: Path) {
  const missing = Object.entries(fields).flatMap(([name, { required }]) =>
    required && !Object.hasOwn(map, name) ? [name] : [],
  )
  return missing.map(
    (name): RecipeDiagnostic => ({
      code: 'missing_key',
      path: [...path, 'map'],
      at: 'key',
      message: `Field "${name}" of ${collection} is required, and no field of the form gives it`,
      hint: `Add ${name}: <field of the form>, or give it a default`,
    }),
  )
}

interface Mapping {
  readonly schema: Json
  readonly access: string
  readonly path: Path
}

function mappingFaults(
  { collection, fields }: FormTarget,
  name: string,
  given: string,
  { schema, access, path }: Mapping,
): RecipeDiagnostic[] {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (!field)
    return [
      {
        code: 'unknown_field',
        path,
        at: 'key',
        message: `Unknown field "${name}" in ${collection}`,
        hint: suggest(name, Object.keys(fields), 'Fields'),
      },
    ]
  const refused = refusal(field, access)
  if (refused !== undefined)
    return [
      {
        code: 'invalid_option',
        path,
        at: 'key',
        message: `Field "${name}" of ${collection} ${refused}`,
        hint: 'Remove it',
      },
    ]
  const found = find(schema, given)
  if (!found.property)
    return found.isOpen
      ? []
      : [
          {
            code: 'unknown_property',
            path,
            message: `Unknown field "${given}" in the form`,
            hint: suggest(given, found.names, 'Fields'),
          },
        ]
  const expected = mismatch(field, found.property)
  return [
    ...(expected === undefined
      ? []
      : [
          {
            code: 'invalid_option',
            path,
            message: `"${given}" of the form doesn't fit "${name}" of ${collection}, ${article(field.type)}`,
            hint: `Its schema needs ${expected}`,
          },
        ]),
    ...(field.required && !found.isRequired
      ? [
          {
            code: 'invalid_option',
            path,
            message: `"${given}" can be left out in the form, but "${name}" of ${collection} is required`,
            hint: 'Add it to required in the schema, or give the field of the row a default',
          },
        ]
      : []),
  ]
}

/** Why no form can give the value. */
function refusal({ type, writable, restricted }: FormTargetField, access: string): string | undefined {
  if (type === 'file') return 'is a file, which a form does not have'
  if (type === 'member') return 'is a member, whom a form does not know'
  if (!writable) return "can't be set"
  return restricted && access === 'public' ? 'is written by roles only' : undefined
}

interface Found {
  readonly property: ResolvedSchema | undefined
  /** Whether the entry has the field in any case. */
  readonly isRequired: boolean
  /** Whether the form accepts fields that its schema doesn't name. */
  readonly isOpen: boolean
  readonly names: readonly string[]
}

function find(root: Json, field: string): Found {
  let at = resolveSchema(root, root)
  let isRequired = true
  const before: string[] = []
  for (const key of pathOf(field)) {
    const { properties, required, keywords } = at
    const inner = properties.get(key)
    const names = [...properties.keys()].map(name => [...before, name].join('.'))
    const isOpen = properties.size === 0 || isRecord(keywords.patternProperties)
    if (!inner) return { property: undefined, isRequired: false, isOpen, names }
    isRequired &&= required.has(key)
    at = resolveSchema(root, inner)
    before.push(key)
  }
  return { property: at, isRequired, isOpen: false, names: [] }
}

/** What the schema of the form needs; undefined if it fits. The row checks lengths, patterns and bounds itself. */
function mismatch(field: FormTargetField, property: ResolvedSchema): string | undefined {
  const { type, many, values = [] } = field
  const { keywords, choices } = property
  if (type === 'json') return undefined
  if (many) return property.type === 'array' ? undefined : 'type: array'
  if (type === 'enum') {
    const fits = choices?.every(({ value }) => values.includes(String(value)) && typeof value === 'string')
    return fits ? undefined : `enum with values of ${values.join(', ')}`
  }
  const [jsonType, formats] = TYPES[type] ?? ['string', undefined]
  const hasType = property.type === jsonType || (jsonType === 'number' && property.type === 'integer')
  if (!hasType || (Array.isArray(keywords.type) && keywords.type.length > 2)) return needs(jsonType, formats)
  return !formats || formats.includes(String(keywords.format)) ? undefined : needs(jsonType, formats)
}

const needs = (type: string, formats: readonly string[] | undefined): string =>
  formats ? `type: ${type} and format: ${formats[0]}` : `type: ${type}`

/** Type of a field → type and formats in JSON Schema. Others are texts. */
const TYPES: Readonly<Record<string, readonly [type: string, formats?: readonly string[]]>> = {
  integer: ['integer'],
  money: ['integer'],
  number: ['number'],
  boolean: ['boolean'],
  email: ['string', ['email']],
  url: ['string', ['uri', 'url']],
  date: ['string', ['date']],
  datetime: ['string', ['date-time', 'iso-date-time']],
  duration: ['string', ['duration']],
}

const article = (type: string): string => `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`

const suggest = (name: string, known: readonly string[], kind: string): string =>
  didYouMean(name, known) ?? (known.length > 0 ? `${kind}: ${known.join(', ')}` : `There are no ${kind.toLowerCase()}`)
