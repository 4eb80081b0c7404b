/** Forms of page templates: they create a row with the rights of the visitor. */
import {
  type Caller,
  common,
  type Deps,
  type FieldError,
  type Problem,
  type Registrations,
  wording,
} from '@larder-dev/larder/kernel'
import type { Collection, Collections } from '../domain/declarations/collection.ts'
import { formItems } from '../domain/fields/form-items.ts'
import { formValues, type PageForm } from '../domain/rows/page-form.ts'
import { problems } from '../problems.ts'
import type { GuestProofs } from './guest-proofs.ts'
import type { GuestRows } from './guest-rows.ts'
import { type PageVisit, parameterOf } from './page-data.ts'
import type { RowCreator } from './row-creator.ts'
import type { BareViewOf, ViewOf } from './views.ts'

type PageForms = Pick<Registrations['pageData'], 'form' | 'challenge' | 'submit'>

type PageFormsDeps = Deps<'operator'> & {
  readonly collectionMap: Collections
  readonly creator: RowCreator
  readonly bareView: BareViewOf
  readonly guestProofs: GuestProofs
  readonly guestRows: GuestRows
  readonly view: ViewOf
}

export function createPageForms({
  operator,
  collectionMap,
  creator,
  bareView,
  guestProofs,
  guestRows,
  view: viewOf,
}: PageFormsDeps): PageForms {
  /** The caller and the workspace of the row. A form that is open to everybody leads to the operator, whoever sends it. */
  function authorOf({ caller }: PageVisit, collection: Collection): [Caller | undefined, tenantId: string] {
    if (!collection.access.guests) return [caller, caller?.tenantId ?? operator.tenantId]
    const own = caller?.tenantId === operator.tenantId ? bareView(caller, operator.tenantId) : undefined
    return [own && own.rows(collection, 'create').length > 0 ? caller : undefined, operator.tenantId]
  }
  function collectionOf({ create }: PageForm): Collection {
    const collection = collectionMap.get(create)
    if (!collection) throw common.not_found({ what: 'collection' })
    return collection
  }

  return {
    form(form, visit, { name, input, refusal }) {
      const collection = collectionOf(form as PageForm)
      const view = bareView(...authorOf(visit, collection))
      const isOwner = view.ownerOf(collection) === view.tenantId
      const { fields: names = [] } = form as PageForm
      const errors = refusal ? errorsOf(refusal) : []
      const { items, summary } = formItems(collection, { prefix: name, names, locale: visit.locale, input, errors })
      const isTaken = refusal?.code === problems.value_taken.code && summary.every(({ anchor }) => anchor === '')
      const shown = isTaken ? [] : summary
      const error = isTaken
        ? wording('You have already sent this.')
        : refusal?.code === problems.proof_required.code
          ? wording('Please send this once more. Your browser had not solved its task yet.')
          : shown.length > 0
            ? ''
            : (refusal?.wording ?? '')
      const isOpen = collection.access.guests !== undefined
      return { isOpen, mayCreate: isOwner && view.rows(collection, 'create').length > 0, items, summary: shown, error }
    },

    async challenge(form, visit) {
      const collection = collectionOf(form as PageForm)
      if (!guestProofs.isNeeded(collection)) return null
      const view = bareView(...authorOf(visit, collection))
      return view.isGuest ? guestProofs.challenge(view.tenantId, collection) : null
    },

    async submit(form, visit, { input, data, proof }) {
      const collection = collectionOf(form as PageForm)
      const view = await viewOf(...authorOf(visit, collection), collection)
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

/** Errors of inputs. A problem of the whole row, such as a missing permission, says what is wrong in its message. */
function errorsOf(refusal: Problem): readonly FieldError[] {
  const { errors = [] } = refusal.extras as { errors?: readonly FieldError[] }
  return errors.filter(({ pointer }) => pointer !== '')
}
