/** Forms of page templates: they create a row with the rights of the visitor. */
import {
  type Caller,
  common,
  type Deps,
  type FieldError,
  Problem,
  type Registrations,
  type Wording,
  wording,
} from '@larder-dev/larder/kernel'
import type { Collection, Collections } from '../domain/declarations/collection.ts'
import { formItems } from '../domain/fields/form-items.ts'
import type { View } from '../domain/rights/view.ts'
import { formValues, namedWorkspace, type PageForm } from '../domain/rows/page-form.ts'
import { problems } from '../problems.ts'
import { hasNoPlace } from './capacities.ts'
import type { GuestProofs } from './guest-proofs.ts'
import type { GuestRows } from './guest-rows.ts'
import { type PageVisit, parameterOf } from './list-filters.ts'
import type { RowCreator } from './row-creator.ts'
import type { BareViewOf, ViewOf } from './views.ts'

type PageForms = Pick<Registrations['pageData'], 'form' | 'challenge' | 'submit'>

type PageFormsDeps = Deps<'database' | 'operator' | 'tenantSuspension', 'tenantDirectory'> & {
  readonly collectionMap: Collections
  readonly creator: RowCreator
  readonly bareView: BareViewOf
  readonly guestProofs: GuestProofs
  readonly guestRows: GuestRows
  readonly view: ViewOf
}

type Data = Readonly<Record<string, unknown>>
type Author = readonly [caller: Caller | undefined, tenantId: string]

export function createPageForms({
  database,
  operator,
  tenantDirectory,
  tenantSuspension,
  collectionMap,
  creator,
  bareView,
  guestProofs,
  guestRows,
  view: viewOf,
}: PageFormsDeps): PageForms {
  /**
   * The caller and the workspace of the row. A form that is open to everybody leads to the operator or to the workspace
   * that it names, whoever sends it.
   */
  function authorOf({ caller }: PageVisit, collection: Collection, named = operator.tenantId): Author {
    if (!collection.access.guests) return [caller, caller?.tenantId ?? operator.tenantId]
    const own = caller?.tenantId === named ? bareView(caller, named) : undefined
    return [own && own.rows(collection, 'create').length > 0 ? caller : undefined, named]
  }

  /** The ID of the workspace that gets the row. Null for one that the form names but that is unknown or suspended. */
  async function workspaceOf(form: PageForm, visit: PageVisit, data: Data): Promise<string | null> {
    const { workspace } = form
    if (workspace === undefined) return operator.tenantId
    const named = namedWorkspace({ ...form, workspace }, { data, parameter: name => parameterOf(visit, name) })
    const found = named === undefined ? undefined : await tenantDirectory?.find(named)
    if (!found) return null
    try {
      await tenantSuspension.assertActive(found.id)
      return found.id
    } catch (error) {
      if (Problem.is(error) && error.code === common.tenant_suspended.code) return null
      throw error
    }
  }
  function collectionOf({ create }: PageForm): Collection {
    const collection = collectionMap.get(create)
    if (!collection) throw common.not_found({ what: 'collection' })
    return collection
  }

  /** Whether the row that the form would refer to has no free place, as far as the visitor may know. */
  async function isFullFor(form: PageForm, visit: PageVisit, view: View, data: Data | undefined): Promise<boolean> {
    const collection = collectionOf(form)
    if (!collection.capacity || data === undefined) return false
    const parameter = (name: string) => parameterOf(visit, name)
    const sources = { input: {}, data, subject: view.subjectFor(collection), parameter }
    const defaults = [...collection.fields.values()].map(field => [field.name, field.default])
    const values = { ...Object.fromEntries(defaults), ...formValues(form, collection, sources) }
    return hasNoPlace(database.tenant(view.tenantId), view, collection, values)
  }

  return {
    async form(form, visit, { name, input, refusal, data }) {
      const collection = collectionOf(form as PageForm)
      const isOpen = collection.access.guests !== undefined
      // What visitors may do is the same in each workspace, so it is known before the data.
      const tenantId = data === undefined ? operator.tenantId : await workspaceOf(form as PageForm, visit, data)
      if (tenantId === null)
        return { isOpen, mayCreate: false, isFull: false, isUnavailable: true, items: [], summary: [], error: '' }
      const view = bareView(...authorOf(visit, collection, tenantId))
      // After a refusal, the form keeps its input and names the field.
      const isFull = refusal === undefined && (await isFullFor(form as PageForm, visit, view, data))
      const isOwner = view.ownerOf(collection) === view.tenantId
      const { fields: names = [] } = form as PageForm
      const errors = refusal ? errorsOf(refusal) : []
      const { items, summary } = formItems(collection, { prefix: name, names, locale: visit.locale, input, errors })
      const isTaken = refusal?.code === problems.value_taken.code && summary.every(({ anchor }) => anchor === '')
      const shown = isTaken ? [] : summary
      const error = isTaken
        ? wording('You have already sent this.')
        : shown.length > 0 || isFull
          ? ''
          : ((refusal && wordingFor(view, refusal)) ?? '')
      const mayCreate = isOwner && view.rows(collection, 'create').length > 0
      return { isOpen, mayCreate, isFull, isUnavailable: false, items, summary: shown, error }
    },

    async challenge(form, visit, data) {
      const collection = collectionOf(form as PageForm)
      if (!guestProofs.isNeeded(collection)) return null
      const tenantId = await workspaceOf(form as PageForm, visit, data)
      if (tenantId === null) return null
      const view = bareView(...authorOf(visit, collection, tenantId))
      return view.isGuest ? guestProofs.challenge(view.tenantId, collection) : null
    },

    async submit(form, visit, { input, data, proof }) {
      const collection = collectionOf(form as PageForm)
      const tenantId = await workspaceOf(form as PageForm, visit, data)
      if (tenantId === null) throw common.not_found({ what: 'workspace' })
      const view = await viewOf(...authorOf(visit, collection, tenantId), collection)
      const given = formValues(form as PageForm, collection, {
        input,
        data,
        subject: view.subjectFor(collection),
        parameter: name => parameterOf(visit, name),
      })
      if (view.isGuest) {
        await guestProofs.use(view.tenantId, collection, proof)
        await guestRows.create(view.tenantId, collection, given)
      } else await creator.create(view, collection, [{ given, pointer: '' }])
    },
  }
}

const wordingFor = (view: View, { code, wording }: Problem): Wording =>
  (view.isGuest ? GUEST_WORDINGS[code] : undefined) ?? wording

/** What is said to visitors, who have no roles and send no parameters. */
const GUEST_WORDINGS: Readonly<Record<string, Wording>> = {
  [problems.proof_required.code]: wording('Please send this once more. Your browser had not solved its task yet.'),
  [problems.row_action_forbidden.code]: wording("This can't be sent with these values. Check them, and try again."),
}

/** Errors of inputs. A problem of the whole row, such as a missing permission, says what is wrong in its message. */
function errorsOf(refusal: Problem): readonly FieldError[] {
  const { errors = [] } = refusal.extras as { errors?: readonly FieldError[] }
  return errors.filter(({ pointer }) => pointer !== '')
}
