/** The states of a row: which ones may follow another, and the events of their transitions. Pure. */
import type { Collection, Field } from '../declarations/collection.ts'
import { formerNames } from '../declarations/former-names.ts'

/** Part of the type of an event. */
export const STATE_PATTERN = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/

/** The states that may follow a value. A row without one can get those of a new row. */
export function nextStates({ states }: Field, from: unknown): readonly string[] {
  if (!states) return []
  return from === null || from === undefined ? states.initial : (states.transitions.get(String(from)) ?? [])
}

/** The states that a row can come into by a change. */
export function reachedStates({ states, required }: Field): readonly string[] {
  if (!states) return []
  return [...new Set([...(required ? [] : states.initial), ...[...states.transitions.values()].flat()])]
}

/** The event of a state, and the one of each former name of the field. */
export const stateEvents = (
  collection: Pick<Collection, 'name' | 'fields'>,
  field: Pick<Field, 'name'>,
  state: string,
): readonly { readonly name: string; readonly event: string }[] => {
  const former = [...formerNames(collection)].flatMap(([name, current]) => (current.name === field.name ? [name] : []))
  return [field.name, ...former].map(name => ({ name, event: stateEvent(collection, { name }, state) }))
}

/** `collections.tickets.status.solved`. */
const stateEvent = ({ name }: Pick<Collection, 'name'>, field: Pick<Field, 'name'>, state: string): string =>
  `collections.${name}.${field.name}.${state}`
