/** Checks references between collections. */
import type { Collection, Collections, Field } from '../domain/declarations/collection.ts'
import { type Report, suggest } from './report.ts'

export function validateReferences(collections: Collections, report: Report): void {
  for (const collection of collections.values())
    for (const field of collection.fields.values())
      if (field.reference) validateTarget(collection, field, collections, report)
  reportCircles(collections, report)
}

function validateTarget(
  { name, scope }: Collection,
  { name: field, reference }: Field,
  collections: Collections,
  report: Report,
): void {
  const { to = '', onDelete } = reference ?? {}
  const target = collections.get(to)
  const path = [name, 'fields', field]
  if (!target)
    report(
      [...path, 'to'],
      'unknown_collection',
      `Unknown collection "${to}"`,
      renamedTo(to, collections) ?? suggest(to, [...collections.keys()], 'Collections'),
    )
  else if (scope === 'shared' && target.scope === 'tenant')
    report(
      [...path, 'to'],
      'invalid_option',
      `${name} is shared, so its rows can't refer to rows of a workspace in ${to}`,
      `Use scope: shared in ${to}`,
    )
  else if (scope === 'tenant' && target.scope === 'shared' && onDelete === 'cascade')
    report(
      [...path, 'onDelete'],
      'invalid_option',
      `Deleting a row of ${to} would delete rows of every workspace`,
      'Use restrict or clear',
    )
}

/** Rows of collections that require each other could never be created. */
function reportCircles(collections: Collections, report: Report): void {
  const reported = new Set<string>()
  for (const { name } of collections.values()) {
    const circle = findCircle(name, collections)
    const id = circle && [...new Set(circle.map(step => step.collection))].sort().join(' ')
    if (!circle || id === undefined || reported.has(id)) continue
    reported.add(id)
    const [first] = circle
    const steps = circle.map(({ collection, field }) => `${collection}.${field}`)
    report(
      [name, 'fields', first?.field ?? '', 'required'],
      'circular_reference',
      `Required references form a circle: ${steps.join(' → ')} → ${name}`,
      'Remove required from one of them',
    )
  }
}

interface Step {
  readonly collection: string
  readonly field: string
}

function findCircle(start: string, collections: Collections): Step[] | undefined {
  const visited = new Set<string>()
  const visit = (name: string): Step[] | undefined => {
    if (visited.has(name)) return undefined
    visited.add(name)
    for (const { name: field, required, reference } of collections.get(name)?.fields.values() ?? []) {
      if (!required || !reference || reference.many) continue
      const step = { collection: name, field }
      const rest = reference.to === start ? [] : visit(reference.to)
      if (rest) return [step, ...rest]
    }
    return undefined
  }
  return visit(start)
}

function renamedTo(name: string, collections: Collections): string | undefined {
  const renamed = [...collections.values()].find(({ was }) => was === name)
  return renamed && `It was renamed to "${renamed.name}"`
}
