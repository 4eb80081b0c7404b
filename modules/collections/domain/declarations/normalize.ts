/** Completes a declaration that has been validated. Pure. */
import { bytes, isRecord, milliseconds } from '@larder-dev/larder/kernel'
import type {
  Access,
  Capacity,
  Collection,
  Collections,
  DefaultSource,
  Field,
  Grants,
  States,
  UniqueKey,
} from './collection.ts'
import type { Condition } from './condition.ts'
import type { DeclaredCapacity, DeclaredCollection, DeclaredField, DeclaredRule, DeclaredRules } from './declaration.ts'
import { defaultVariables } from './default-variables.ts'
import { collectionLabel, collectionTitle, columnName, fieldLabel, idPrefix, tableName } from './naming.ts'

/** Characters. A value of an index has at most 2,704 bytes, and a character up to 4. */
export const MAX_INDEXED_LENGTH = 600
/** Characters, where a declaration has no `maxLength`. */
const DEFAULT_MAX_LENGTH: { readonly [Type in Field['type']]?: number } = {
  text: 500,
  longtext: 100_000,
  markdown: 100_000,
  slug: 100,
  email: 254,
  url: 2000,
}
/** Characters that `maxLength` can't exceed. */
export const MAX_LENGTH: { readonly [Type in Field['type']]?: number } = { text: 10_000, slug: 200, url: 8000 }

export interface NormalizeContext {
  /** `recipe`, or the module that declares the collection. */
  readonly from: string
  resolveFile(path: readonly (string | number)[], file: string): string
}

/** @param declarations collections by name. */
export const normalizeAll = (
  declarations: Readonly<Record<string, DeclaredCollection>>,
  context: NormalizeContext,
): Collections =>
  new Map(Object.entries(declarations).map(([name, declared]) => [name, normalize(name, declared, context)]))

export function normalize(name: string, declared: DeclaredCollection, context: NormalizeContext): Collection {
  const { scope = 'tenant', index = [], search = [], history = 0, rows = [], trash, seed } = declared
  const indexed = new Set(index.flat())
  return {
    name,
    table: tableName(name),
    idPrefix: idPrefix(name),
    label: declared.label ?? collectionLabel(name),
    title: declared.title ?? collectionTitle(name),
    help: declared.help,
    scope,
    fields: new Map(Object.entries(declared.fields).map(([key, field]) => [key, rowField(key, field, indexed)])),
    unique: normalizeKeys(declared.unique),
    index,
    noOverlap: declared.noOverlap && { ...declared.noOverlap, by: declared.noOverlap.by ?? [] },
    capacity: declared.capacity && normalizeCapacity(declared.capacity),
    search,
    limit: declared.limit,
    access: normalizeAccess(declared.access),
    trashMs: trash === undefined ? 0 : milliseconds(trash),
    history,
    rows,
    seed: seed === undefined ? undefined : context.resolveFile(['collections', name, 'seed'], seed),
    was: declared.was,
    from: context.from,
  }
}

const normalizeCapacity = ({ of, max, where }: DeclaredCapacity): Capacity => ({
  of,
  max,
  key: { fields: [of], where },
})
const normalizeKeys = (unique: DeclaredCollection['unique'] = []): UniqueKey[] =>
  (isList(unique) ? unique : [unique]).map(key => (isList(key) ? { fields: key, where: undefined } : key))
/** `Array.isArray` doesn't narrow lists that are read-only. */
const isList = <Item>(value: readonly Item[] | object): value is readonly Item[] => Array.isArray(value)

/** A field of rows. Profiles have none of these options. */
function rowField(name: string, declared: DeclaredField, indexed: ReadonlySet<string>): Field {
  const field = normalizeField(name, declared, indexed)
  const defaultFrom = defaultSource(declared)
  const { onUpdate, sequence } = declared
  return {
    ...field,
    ...(defaultFrom && { default: undefined, defaultFrom }),
    onUpdate,
    ...(sequence !== undefined && {
      sequence,
      required: true,
      unique: true,
      readOnly: true,
      maxLength: MAX_INDEXED_LENGTH,
    }),
  }
}

function defaultSource({ type, default: standard }: DeclaredField): DefaultSource | undefined {
  const variable = defaultVariables(type).find(each => each === standard)
  if (variable) return { variable }
  const isExpression = type !== 'json' && isRecord(standard) && typeof standard.expression === 'string'
  return isExpression ? { expression: String(standard.expression) } : undefined
}

/** @param indexed names of fields that indexes of several fields contain. */
export function normalizeField(name: string, declared: DeclaredField, indexed: ReadonlySet<string> = new Set()): Field {
  const { type, required = false, unique = false, index = false, to, expression, of } = declared
  return {
    name,
    type,
    column: columnName(name),
    label: declared.label ?? fieldLabel(name),
    help: declared.help,
    required,
    default: declared.default,
    defaultFrom: undefined,
    onUpdate: undefined,
    sequence: undefined,
    unique,
    index,
    isIndexed: index || indexed.has(name),
    writeOnce: declared.writeOnce ?? false,
    readOnly: declared.readOnly ?? type === 'computed',
    private: declared.private ?? false,
    readRoles: declared.read,
    writeRoles: declared.write,
    minLength: declared.minLength,
    maxLength: declared.maxLength ?? defaultMaxLength(declared, indexed.has(name)),
    min: declared.min,
    max: declared.max,
    pattern: declared.pattern,
    values: declared.values,
    valueLabels: declared.labels ?? {},
    states: statesOf(declared),
    from: declared.from,
    currency: declared.currency,
    accept: declared.accept,
    maxSize: declared.maxSize === undefined ? undefined : bytes(declared.maxSize),
    schema: declared.schema,
    reference:
      to === undefined ? undefined : { to, many: declared.many ?? false, onDelete: declared.onDelete ?? 'restrict' },
    computed: expression === undefined || of === undefined ? undefined : { expression, of },
    was: declared.was,
    using: declared.using,
  }
}

function statesOf({ transitions, initial = [], roles = {}, default: standard }: DeclaredField): States | undefined {
  if (transitions === undefined) return undefined
  return {
    transitions: new Map(Object.entries(transitions)),
    initial: [...new Set([...(typeof standard === 'string' ? [standard] : []), ...initial])],
    roles: new Map(Object.entries(roles)),
  }
}

function defaultMaxLength({ type, unique, index }: DeclaredField, isIndexed: boolean): number | undefined {
  const standard = DEFAULT_MAX_LENGTH[type]
  return standard !== undefined && (unique || index || isIndexed) ? Math.min(standard, MAX_INDEXED_LENGTH) : standard
}

function normalizeAccess({
  read = {},
  create = {},
  update,
  delete: remove,
}: NonNullable<DeclaredCollection['access']> = {}): Access {
  const { anyone = false, signedIn = false, ...roles } = read
  const { anyone: guests = false, ...creators } = create
  return {
    anyone: anyone === false ? undefined : toCondition(anyone),
    signedIn: signedIn === false ? undefined : toCondition(signedIn),
    guests: guests === false ? undefined : toCondition(guests),
    actions: { read: toGrants(roles), create: toGrants(creators), update: toGrants(update), delete: toGrants(remove) },
  }
}

/** `false` takes a role's access away that a base recipe declares. */
const toGrants = (rules: DeclaredRules = {}): Grants =>
  Object.fromEntries(
    Object.entries(rules).flatMap(([role, rule]) => (rule === false ? [] : [[role, toCondition(rule)]])),
  )

const toCondition = (rule: Exclude<DeclaredRule, false>): Condition => (rule === true ? {} : rule)
