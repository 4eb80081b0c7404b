/** Compares the collections of two recipes, without a database: their tables, their access rules, and profile fields. */
import { fingerprint, type RecipeView, type Registrations } from '@larder-dev/larder/kernel'
import { planSchema } from '../domain/changes/schema-changes.ts'
import type { SchemaChange } from '../domain/changes/schema-plan.ts'
import { wantedCollections } from '../domain/changes/wanted.ts'
import type { Access, Action, Collections, States } from '../domain/declarations/collection.ts'
import type { Condition } from '../domain/declarations/condition.ts'
import { stateFields } from '../domain/fields/field-lists.ts'
import type { CollectionLayout } from '../domain/tables/layout.ts'
import { compareProfiles } from './profile-comparison.ts'
import type { Sections } from './sections.ts'

type Comparison = Registrations['comparisons'][number]
type Change = ReturnType<Comparison['changesFrom']>[number]

export const comparisons = (
  { collectionMap }: { readonly collectionMap: Collections },
  _options: unknown,
  { sections: { profile } }: RecipeView<Sections>,
): Comparison[] => [
  compareTables(collectionMap),
  compareStates(collectionMap),
  compareAccess(collectionMap),
  compareProfiles(profile),
]

interface TableState {
  readonly layouts: readonly CollectionLayout[]
  /** `collection.field` → former name. */
  readonly formerNames: ReadonlyMap<string, string>
}

export function compareTables(collections: Collections): Comparison {
  const wanted = wantedCollections(collections)
  const state: TableState = {
    layouts: wanted.map(({ layout }) => layout),
    formerNames: new Map(
      wanted.flatMap(({ layout, fieldWas }) =>
        [...fieldWas].map(([field, was]) => [`${layout.name}.${field}`, was] as const),
      ),
    ),
  }
  return {
    topic: 'data',
    state,
    changesFrom(former) {
      const { layouts, formerNames } = (former ?? { layouts: [], formerNames: new Map() }) as TableState
      const { changes } = planSchema({ layouts, retired: [], expansions: [] }, wanted, 0)
      return [...changes.map(change => describe(change, state)), ...endedNames(formerNames, state)]
    },
  }
}

function describe(
  { change, subject, detail, breaks: broken, loss, lostRows, mistakes, checks }: SchemaChange,
  { formerNames }: TableState,
): Change {
  const mayLose = loss !== undefined && lostRows !== undefined
  const details = [
    detail,
    ...checks.map(({ message }) => `refused for rows that don't fit: ${message.replace(/:? ?\{count\}.*$/, '')}`),
    ...(mayLose ? [`if there are such rows, ${loss}`] : []),
  ]
  const breaks = [
    ...mistakes.map(mistake => `cannot be applied: ${mistake}`),
    ...(broken === undefined ? [] : [broken]),
    ...(loss !== undefined && !mayLose ? [loss] : []),
  ]
  return {
    change,
    subject,
    detail: details.filter(Boolean).join('; '),
    at: [...pathsOf(subject, change), ...formerPaths(subject, formerNames)],
    ...(breaks.length > 0 && { breaks: breaks.join('; ') }),
  }
}

/** `field courses.title`, or the whole of `collection courses`, in the recipe. */
function pathsOf(subject: string, change: Change['change']): string[][] {
  const [kind, name = ''] = subject.split(' ')
  const [collection = '', field] = name.split('.')
  if (kind === 'field' && field) return [['collections', collection, 'fields', field]]
  return kind === 'collection' && change !== 'change' ? [['collections', collection]] : []
}

function formerPaths(subject: string, formerNames: TableState['formerNames']): string[][] {
  const [collection = ''] = subject.replace(/^field /, '').split('.')
  const was = formerNames.get(subject.replace(/^field /, ''))
  return was === undefined ? [] : [['collections', collection, 'fields', was]]
}

/** Renames that the later recipe no longer serves under both names. */
function endedNames(formerNames: TableState['formerNames'], later: TableState): Change[] {
  const hasField = (subject: string) =>
    later.layouts.some(({ name, fields }) => fields.some(field => `${name}.${field.name}` === subject))
  return [...formerNames].flatMap(([subject, was]): Change[] => {
    if (later.formerNames.get(subject) === was || !hasField(subject)) return []
    return [
      {
        change: 'remove',
        subject: `former name ${was} of ${subject}`,
        at: pathsOf(`field ${subject}`, 'change'),
        breaks: `processes that use ${was} fail`,
      },
    ]
  })
}

type FieldStates = ReadonlyMap<string, States>

/** Compares how rows change their states. The tables stay as they are. */
export function compareStates(collections: Collections): Comparison {
  const state: FieldStates = new Map(
    [...collections.values()].flatMap(collection =>
      stateFields(collection).flatMap(({ name, states }) =>
        states ? [[`${collection.name}.${name}`, states] as const] : [],
      ),
    ),
  )
  const fields = new Set(
    [...collections.values()].flatMap(({ name, fields: all }) => [...all.keys()].map(field => `${name}.${field}`)),
  )
  return {
    topic: 'data',
    state,
    changesFrom(former) {
      if (former === undefined) return []
      const before = former as FieldStates
      // The comparison of tables names fields that are gone.
      return [...new Set([...before.keys(), ...state.keys()])].flatMap(name =>
        fields.has(name) ? statesChange(name, before.get(name), state.get(name)) : [],
      )
    },
  }
}

function statesChange(name: string, earlier: States | undefined, later: States | undefined): Change[] {
  const added = partsOf(later).filter(part => !partsOf(earlier).includes(part))
  const removed = partsOf(earlier).filter(part => !partsOf(later).includes(part))
  if (added.length + removed.length === 0) return []
  const [collection = '', field = ''] = name.split('.')
  const isNarrower =
    earlier === undefined ||
    removed.length > 0 ||
    [...(later?.roles.keys() ?? [])].some(state => !earlier.roles.has(state))
  return [
    {
      change: 'change',
      subject: `states of ${name}`,
      detail: [...added.map(part => `+ ${part}`), ...removed.map(part => `- ${part}`)].join(', '),
      at: [['collections', collection, 'fields', field]],
      ...(later === undefined
        ? { breaks: 'the events of its states end' }
        : isNarrower && { breaks: 'other changes of its state are refused' }),
    },
  ]
}

const partsOf = (states: States | undefined): string[] =>
  states
    ? [
        ...states.initial.map(state => `new → ${state}`),
        ...[...states.transitions].flatMap(([from, targets]) => targets.map(to => `${from} → ${to}`)),
        ...[...states.roles].map(([state, roles]) => `${state} by ${roles.join(' or ')}`),
      ]
    : []

type AccessState = ReadonlyMap<string, Access>

export function compareAccess(collections: Collections): Comparison {
  const state: AccessState = new Map([...collections].map(([name, { access }]) => [name, access]))
  return {
    topic: 'permissions',
    state,
    changesFrom(former) {
      const before = (former ?? new Map()) as AccessState
      return [...state].flatMap(([name, access]) => {
        const earlier = before.get(name)
        return earlier ? accessChanges(name, earlier, access) : []
      })
    },
  }
}

const ACTIONS: readonly Action[] = ['read', 'create', 'update', 'delete']

function accessChanges(collection: string, before: Access, after: Access): Change[] {
  return ACTIONS.flatMap(action => {
    const [old, rules] = [rulesOf(before, action), rulesOf(after, action)]
    return [...new Set([...old.keys(), ...rules.keys()])].flatMap((who): Change[] => {
      const [earlier, rule] = [old.get(who), rules.get(who)]
      const subject = `access ${collection}.${action} of ${who}`
      const at = [['collections', collection, 'access', action, who]]
      if (earlier === undefined && rule) return [{ change: 'add', subject, detail: describeRule(rule), at }]
      if (earlier && rule === undefined)
        return [{ change: 'remove', subject, at, detail: describeRule(earlier), breaks: `${who} may lose these rows` }]
      if (!earlier || !rule || fingerprint(earlier) === fingerprint(rule)) return []
      const detail = `${describeRule(earlier)} → ${describeRule(rule)}`
      return [{ change: 'change', subject, detail, at, ...(!isEmpty(rule) && { breaks: `${who} may lose rows` }) }]
    })
  })
}

function rulesOf({ anyone, signedIn, guests, actions }: Access, action: Action): ReadonlyMap<string, Condition> {
  return new Map([
    ...Object.entries(actions[action]),
    ...(action === 'read' && anyone !== undefined ? [['anyone', anyone] as const] : []),
    ...(action === 'create' && guests !== undefined ? [['anyone', guests] as const] : []),
    ...(action === 'read' && signedIn !== undefined ? [['signedIn', signedIn] as const] : []),
  ])
}

const isEmpty = (rule: Condition): boolean => Object.keys(rule).length === 0
const describeRule = (rule: Condition): string => (isEmpty(rule) ? 'every row' : `rows with ${JSON.stringify(rule)}`)
