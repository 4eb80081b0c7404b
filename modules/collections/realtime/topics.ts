/** Topics of the socket `/v1/realtime`. */
import {
  type AnyTopic,
  type Caller,
  common,
  type Deps,
  fieldError,
  named,
  OneOf,
  type SocketMember,
  type Static,
  type TSchema,
  Type,
  topic,
  wording,
} from '@larder-dev/larder/kernel'
import { conditionShape } from '@larder-dev/larder/kernel/internal'
import { ConditionError, testsOf } from '../domain/conditions/resolved-condition.ts'
import type { Collection } from '../domain/declarations/collection.ts'
import type { Condition } from '../domain/declarations/condition.ts'
import { rightsText, type View } from '../domain/rights/view.ts'
import { schemasOf } from '../domain/rows/named-schemas.ts'
import { type PublishedChange, ROWS_TOPIC } from '../domain/rows/row-changes.ts'
import { pointerOf } from '../domain/rows/row-values.ts'
import type { CollectionServices } from '../services.ts'
import { conditionsOf, createRowFeed, type RowMessage } from './row-feed.ts'

const MAX_CONDITIONS = 30
const MAX_VALUES = 200

const Scalar = Type.Union([Type.String({ maxLength: 1000 }), Type.Number(), Type.Boolean()])
const Bound = Type.Union([Type.String({ maxLength: 1000 }), Type.Number()])
const Part = Type.String({ maxLength: 1000 })
const Values = Type.Array(Scalar, { maxItems: MAX_VALUES })
const Operators = Type.Partial(
  Type.Object({
    eq: Scalar,
    ne: Scalar,
    in: Values,
    notIn: Values,
    gt: Bound,
    gte: Bound,
    lt: Bound,
    lte: Bound,
    contains: Scalar,
    startsWith: Part,
    endsWith: Part,
    exists: Type.Boolean(),
  }),
)
/** What is within `or` and `not` is checked with the fields. */
const Nested = Type.Record(Type.String(), Type.Unknown(), { minProperties: 1, maxProperties: MAX_CONDITIONS })
const RowFilter = named(
  'RowFilter',
  Type.Unsafe<Condition>({
    type: 'object',
    maxProperties: MAX_CONDITIONS,
    properties: {
      or: Type.Array(Nested, { minItems: 1, maxItems: 10, description: 'Filters of which one must match' }),
      not: { ...Nested, description: 'A filter that must not match' },
    },
    additionalProperties: Type.Union([Scalar, Operators]),
    description: 'Field, or field of a reference such as `category.name` → value or operators. All must match',
  }),
)
const params = Type.Object({ collection: Type.String({ maxLength: 64 }), filter: Type.Optional(RowFilter) })

type TopicDeps = Deps<'database'> & CollectionServices

export const collectionTopics = (deps: TopicDeps): AnyTopic[] => {
  const { collectionMap, bareView, view: viewOf } = deps
  const feed = createRowFeed(deps)
  const collections = [...collectionMap.values()]
  if (collections.length === 0) return []
  return [
    topic({
      name: ROWS_TOPIC,
      summary: 'Changes of the rows of a collection that the subscriber can read and that match the filter.',
      allow: 'public',
      params,
      message: Type.Union(collections.flatMap(messagesOf)) as unknown as MessageSchema,
      authorize(subscriber, { collection: name, filter = {} }: Static<typeof params>) {
        const { tenantId } = subscriber
        const collection = collectionMap.get(name)
        const callerNow = () => subscriber.member && callerOf(subscriber.member)
        const view = bareView(callerNow(), tenantId)
        if (!collection || view.rows(collection, 'read').length === 0) return undefined
        const followed = assertFilter(view, collection, filter)
        return {
          tenantId: view.ownerOf(collection),
          key: name,
          sharedView: sharedViewOf(view, collection, filter, followed),
          // Rights and the time can change between two messages. The published change has fields that the message leaves out.
          view: async message =>
            feed.messageFor(
              await viewOf(callerNow(), tenantId, collection, filter),
              filter,
              message as unknown as PublishedChange,
            ),
        }
      },
    }),
  ]
}

/** Two subscriptions with the same text see the same of every change. */
function sharedViewOf(view: View, collection: Collection, filter: Condition, followed: readonly Collection[]): string {
  const related = [...collection.fields.values()].flatMap(({ reference }) => {
    const target = reference && view.collections.get(reference.to)
    return target ? [target] : []
  })
  const text = JSON.stringify([
    view.tenantId,
    filter,
    rightsText(view, [...new Set([collection, ...related, ...followed])]),
  ])
  // Conditions depend on who the caller is by all variables but those of the workspace and the time.
  return /\$(?!tenant\b|now\b)[a-z]/.test(text) ? `${text} ${view.caller?.userId} ${view.caller?.memberId}` : text
}

type MessageSchema = ReturnType<typeof Type.Unsafe<RowMessage>>

function messagesOf(collection: Collection): TSchema[] {
  const head = { collection: Type.Literal(collection.name), id: Type.String() }
  const { Row } = schemasOf(collection)
  return [
    Type.Object({ type: OneOf(['created']), ...head, row: Row }),
    Type.Object({ type: OneOf(['updated']), ...head, row: Row, changed: Type.Array(Type.String()) }),
    Type.Object({ type: OneOf(['deleted']), ...head }),
  ]
}

/** The collections that the filter follows references to. Throws `validation_failed`. */
function assertFilter(view: View, collection: Collection, filter: Condition): Collection[] {
  const [mistake] = conditionShape(filter)
  if (mistake) {
    const at = mistake.path.reduce<string>((pointer, step) => pointerOf(pointer, String(step)), '/filter')
    throw common.validation_failed({}, { errors: [fieldError(at, 'wrong_format', wording('is not a condition'))] })
  }
  try {
    const tests = testsOf(conditionsOf(view, collection, filter).filter)
    const isSmall = tests.every(({ operands = [] }) => operands.length <= MAX_VALUES)
    if (isSmall && tests.length <= MAX_CONDITIONS)
      return tests.flatMap(({ path }) => path.hops.map(hop => hop.collection))
    const text = isSmall
      ? wording('has more than {count} conditions', { count: MAX_CONDITIONS })
      : wording('must have at most {count} values', { count: MAX_VALUES })
    throw common.validation_failed({}, { errors: [fieldError('/filter', 'too_many', text)] })
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error
    const { code, key, operator, wording: text } = error
    const at = pointerOf('/filter', key)
    const pointer = operator === undefined ? at : pointerOf(at, operator)
    throw common.validation_failed({}, { errors: [fieldError(pointer, code, text)] })
  }
}

const callerOf = ({ userId, tenantId, principal, membership, can }: SocketMember): Caller => ({
  kind: principal.kind,
  credential: principal.kind === 'apiKey' ? 'apiKey' : 'bearer',
  principalId: principal.id,
  userId,
  tenantId,
  memberId: membership.memberId,
  roles: membership.roles,
  isCustomer: membership.isCustomer,
  permissions: membership.permissions,
  can,
})
