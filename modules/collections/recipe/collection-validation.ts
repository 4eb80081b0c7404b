import { conditionErrors } from '../domain/conditions/condition-validation.ts'
import { contradictions } from '../domain/conditions/contradictions.ts'
import { type Action, type Collection, type Field, SIGNED_IN } from '../domain/declarations/collection.ts'
import type { DeclaredCollection } from '../domain/declarations/declaration.ts'
import { isReservedCollection } from '../domain/declarations/reserved.ts'
import { MEMBER } from '../domain/rights/access.ts'
import { validateField } from './field-validation.ts'
import { validateKeys } from './key-validation.ts'
import { type Known, type Report, suggest, validateRole } from './report.ts'

export function validateCollection(name: string, declared: DeclaredCollection, known: Known, report: Report): void {
  const collection = known.collections.get(name) as Collection
  if (isReservedCollection(name))
    report([name], 'reserved_name', `A collection can't be named "${name}"`, 'Choose another name', 'key')
  for (const field of collection.fields.values()) validateField(field, declared, collection, known, report)
  validateRenames(collection, known, report)
  validateKeys(collection, declared, known, report)
  validateSearch(collection, report)
  validateLimit(collection, known, report)
  validateAccess(collection, declared, known, report)
  validateSharing(collection, declared, report)
  validateGuests(collection, report)
}

function validateRenames({ name, was, fields }: Collection, { collections }: Known, report: Report): void {
  if (was !== undefined && collections.has(was))
    report([name, 'was'], 'invalid_rename', `"${was}" is still a collection`, 'Remove was, or the other collection')
  const former = new Map<string, string>()
  for (const field of fields.values()) {
    if (field.was === undefined) continue
    const path = [name, 'fields', field.name, 'was']
    if (fields.has(field.was))
      report(path, 'invalid_rename', `"${field.was}" is still a field of ${name}`, 'Remove was, or the other field')
    const other = former.get(field.was)
    if (other !== undefined)
      report(path, 'invalid_rename', `Fields "${other}" and "${field.name}" were both "${field.was}"`, 'Remove one was')
    former.set(field.was, field.name)
  }
}

const SEARCHABLE: readonly Field['type'][] = ['text', 'longtext', 'markdown', 'slug', 'email', 'url', 'enum']

function validateSearch({ name, search, fields }: Collection, report: Report): void {
  const searchable = [...fields.values()].filter(({ type }) => SEARCHABLE.includes(type)).map(each => each.name)
  for (const [index, part] of search.entries()) {
    const path = [name, 'search', index]
    const field = fields.get(part)
    if (!field)
      report(path, 'unknown_field', `Unknown field "${part}" in ${name}`, suggest(part, searchable, 'Text fields'))
    else if (!searchable.includes(part))
      report(path, 'invalid_option', `Field "${part}" has no text to search`, suggest('', searchable, 'Text fields'))
    else if (field.private || field.readRoles)
      report(path, 'invalid_option', `Field "${part}" is not readable by everyone, and a search would reveal its words`)
  }
}

function validateLimit({ name, limit }: Collection, { entitlements }: Known, report: Report): void {
  if (limit === undefined || !entitlements) return
  const counting = [...entitlements].filter(([, kind]) => kind === 'gauge' || kind === 'meter').map(([key]) => key)
  const kind = entitlements.get(limit)
  if (kind === undefined)
    report(
      [name, 'limit'],
      'unknown_entitlement',
      `Unknown entitlement "${limit}"`,
      counting.length > 0
        ? suggest(limit, counting, 'Gauges and meters')
        : `Add it under entitlements: ${limit}: { kind: gauge }`,
    )
  else if (kind !== 'gauge' && kind !== 'meter')
    report(
      [name, 'limit'],
      'invalid_option',
      `Entitlement "${limit}" is a ${kind}`,
      'A gauge limits how many rows exist, a meter how many are created in a day or month',
    )
}

const ACTIONS: readonly Action[] = ['read', 'create', 'update', 'delete']

function validateAccess(
  collection: Collection,
  { access = {} }: DeclaredCollection,
  known: Known,
  report: Report,
): void {
  for (const action of ACTIONS)
    for (const [role, rule] of Object.entries(access[action] ?? {})) {
      const path = [collection.name, 'access', action, role]
      if (role === 'anyone' || role === SIGNED_IN) {
        const who = role === 'anyone' ? 'People who are not signed in' : 'People without a role'
        if (action !== 'read' && !(action === 'create' && role === 'anyone'))
          report(
            path,
            'invalid_option',
            `${who} can't ${action} rows`,
            `Use ${role} with read${role === 'anyone' ? ' and create' : ''} only`,
            'key',
          )
      } else
        validateRole(role, path, 'key', { ...known, words: action === 'read' ? ['anyone', SIGNED_IN] : [] }, report)
      if (typeof rule === 'boolean') continue
      const errors = conditionErrors(rule, collection, known.collections, known)
      const readers = {
        anonymous: role === 'anyone',
        others: collection.scope === 'shared' && (role === SIGNED_IN || role === MEMBER),
      }
      const never = errors.length === 0 ? contradictions(rule, collection, known.collections, readers) : []
      for (const error of [...errors, ...never])
        report(
          [...path, ...error.path],
          error.code,
          error.message,
          error.hint,
          error.path.length === 1 ? 'key' : 'value',
        )
    }
}

function validateSharing(
  collection: Collection,
  { rows, seed, access = {} }: DeclaredCollection,
  report: Report,
): void {
  const { name, scope } = collection
  if (rows && seed !== undefined)
    report([name, 'seed'], 'invalid_option', `${name} has both rows and seed`, 'Move the rows into the file')
  if (scope !== 'shared') return
  for (const action of ACTIONS)
    if (action !== 'read' && access[action])
      report(
        [name, 'access', action],
        'invalid_option',
        `Rows of a shared collection can't be ${PAST[action]} by members of a workspace`,
        'Remove it: members of the operator are allowed by their roles',
        'key',
      )
}
/** Other roles count for shared rows in the operator's workspace only. */
export function warnOfRoles({ name, scope, access, fields }: Collection, warn: Report): void {
  if (scope !== 'shared') return
  const isOfOperator = (role: string) => role !== MEMBER && role !== SIGNED_IN
  const ofRole = (role: string) =>
    `Role "${role}" reads this in the operator's workspace only, because ${name} is shared`
  for (const role of Object.keys(access.actions.read).filter(isOfOperator))
    warn([name, 'access', 'read', role], 'operator_role', ofRole(role), OTHERS, 'key')
  for (const field of fields.values())
    for (const [index, role] of (field.readRoles ?? []).entries())
      if (isOfOperator(role)) warn([name, 'fields', field.name, 'read', index], 'operator_role', ofRole(role), OTHERS)
}
const OTHERS = `${MEMBER} names the members of every workspace, owners included`
/** People who are not signed in have no files and are no members. Whatever they can't give, somebody else sets later. */
function validateGuests({ name, scope, access, fields }: Collection, report: Report): void {
  if (!access.guests || scope === 'shared') return
  for (const { name: field, type, readOnly, writeRoles, required, ...rest } of fields.values()) {
    const path = [name, 'fields', field]
    const isWritable = !readOnly && writeRoles === undefined
    if (isWritable && (type === 'file' || type === 'member'))
      report(
        [...path, 'type'],
        'invalid_option',
        `People who are not signed in create rows of ${name}, and can't give a ${type}`,
        'Name the roles that set the field under write',
      )
    else if (!isWritable && required && rest.default === undefined && type !== 'computed' && !readOnly)
      report(
        [...path, 'required'],
        'invalid_option',
        `People who are not signed in create rows of ${name}, and can't write "${field}"`,
        'Add a default, or remove required',
        'key',
      )
  }
}
const PAST = { create: 'created', update: 'updated', delete: 'deleted' } as const
