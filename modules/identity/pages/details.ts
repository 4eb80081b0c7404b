/** The fields that the recipe adds to people and to members. Their forms are on the pages of both, and here after a mistake. */
import { common, type FieldError, invalidFieldCount, type PageResult, Problem, page } from '@larder-dev/larder/kernel'
import type { ProfileFields, ProfileValues } from '../ports.ts'
import type { IdentityServices } from '../services.ts'

interface Edit {
  readonly fields: ProfileFields | undefined
  readonly values: ProfileValues
  /** The page that contains the form. */
  readonly back: string
  readonly locale: string
}

export function detailsPages({ profiles }: IdentityServices) {
  const view = ({ fields, values, back, locale }: Edit) => {
    if (!fields) throw common.not_found({ what: 'page' })
    return { back, action: `${back}/details`, details: fields.form(values, locale), error: null }
  }

  /** Shows the form again with the mistakes beside their inputs. */
  async function save(
    edit: Edit,
    input: ProfileValues & Readonly<Record<string, string>>,
    run: Save,
  ): Promise<PageResult> {
    const { fields, back, locale } = edit
    const shown = view(edit)
    if (!fields) return { data: shown }
    try {
      await run(fields.valuesOf(input))
      return { redirect: `${back}?done=saved` }
    } catch (error) {
      if (!Problem.is(error) || error.status !== common.validation_failed.status) throw error
      const errors = (error.extras.errors ?? []) as readonly FieldError[]
      const details = fields.form({}, locale, { input, errors })
      return { status: error.status, data: { ...shown, details, error: invalidFieldCount(errors.length) } }
    }
  }
  type Save = (values: ProfileValues) => Promise<unknown>

  const own = page({
    name: 'identity.details',
    path: '/account/details',
    title: 'More details',
    allow: 'user',
    async load({ caller: { userId }, locale }) {
      const values = await profiles.ofUser(userId)
      return { data: view({ fields: profiles.userFields(), values, back: '/account', locale }) }
    },
    async post({ caller: { userId }, form, locale }) {
      const edit = { fields: profiles.userFields(), values: {}, back: '/account', locale }
      return save(edit, form, values => profiles.updateUser(userId, values, ''))
    },
  })

  const ofMember = page({
    name: 'identity.details',
    path: '/workspace/members/:id/details',
    title: 'More details',
    allow: 'identity.member.update',
    async load({ tenantId, params, locale }) {
      const id = String(params.id)
      const values = await profiles.ofMember(tenantId, id)
      return { data: view({ fields: profiles.memberFields(), values, back: `/workspace/members/${id}`, locale }) }
    },
    async post({ tenantId, params, form, locale }) {
      const id = String(params.id)
      const edit = { fields: profiles.memberFields(), values: {}, back: `/workspace/members/${id}`, locale }
      return save(edit, form, values => profiles.updateMember(tenantId, id, values, ''))
    },
  })

  return [own, ofMember]
}
