/** The fields that the recipe adds to people and to members. Their forms are on the pages of both, and here after a mistake. */
import { type Caller, common, type PageResult, Problem, page } from '@larder-dev/larder/kernel'
import { DETAILS_PATH, safeReturnPath } from '../../domain/return-path.ts'
import { errorsIn, invalidFieldCount } from '../../pages/form.ts'
import type { ProfileFields, ProfileValues, RefusedForm } from '../../ports.ts'
import type { AccountServices } from '../services.ts'

interface Edit {
  readonly fields: ProfileFields | undefined
  readonly values: ProfileValues
  /** The address that the form posts to. */
  readonly action: string
  /** The page that contains the form; null for a person who must fill it in. */
  readonly back: string | null
  readonly done: string
  readonly locale: string
}

export function detailsPages({ profiles }: AccountServices) {
  function view({ fields, values, back, action, locale }: Edit, refused?: RefusedForm) {
    if (!fields) throw common.not_found({ what: 'page' })
    const error = refused ? invalidFieldCount(refused.errors.length) : null
    return { back, action, details: fields.form(values, locale, { refused }), error }
  }

  /** Shows the form again with the mistakes beside their inputs. */
  async function save(edit: Edit, input: RefusedForm['input'], run: Save): Promise<PageResult> {
    const { fields, done } = edit
    if (!fields) throw common.not_found({ what: 'page' })
    try {
      await run(fields.valuesOf(input))
      return { redirect: done }
    } catch (error) {
      if (!Problem.is(error) || error.status !== common.validation_failed.status) throw error
      return { status: error.status, data: view(edit, { input, errors: errorsIn(error) }) }
    }
  }
  type Save = (values: ProfileValues) => Promise<unknown>

  const ownEdit = (next: string | undefined, locale: string, values: ProfileValues = {}): Edit => {
    const shared = { fields: profiles.userFields(), values, locale }
    if (next === undefined) return { ...shared, action: DETAILS_PATH, back: '/account', done: '/account?done=saved' }
    const done = safeReturnPath(next)
    return { ...shared, action: `${DETAILS_PATH}?next=${encodeURIComponent(done)}`, back: null, done }
  }
  const own = page({
    name: 'identity.details',
    path: DETAILS_PATH,
    title: 'More details',
    allow: 'user',
    load: async ({ caller: { userId }, query, locale }) => ({
      data: view(ownEdit(query.next, locale, await profiles.ofUser(userId))),
    }),
    post: ({ caller, form, query, locale }) =>
      save(ownEdit(query.next, locale), form, values => profiles.updateUser(caller.userId, values, caller, 'person')),
  })

  const memberEdit = (id: string, locale: string, values: ProfileValues = {}): Edit => {
    const back = `/workspace/members/${id}`
    const fields = profiles.memberFields()
    return { fields, values, action: `${back}/details`, back, done: `${back}?done=saved`, locale }
  }
  const saveMember = (tenantId: string, id: string, caller: Caller) => (values: ProfileValues) =>
    profiles.updateMember(tenantId, id, values, caller)
  const ofMember = page({
    name: 'identity.details',
    path: '/workspace/members/:id/details',
    title: 'More details',
    allow: 'identity.member.update',
    async load({ tenantId, params, locale }) {
      const id = String(params.id)
      return { data: view(memberEdit(id, locale, await profiles.ofMember(tenantId, id))) }
    },
    async post({ tenantId, params, form, locale, caller }) {
      const id = String(params.id)
      return save(memberEdit(id, locale), form, saveMember(tenantId, id, caller))
    },
  })

  return [own, ofMember]
}
