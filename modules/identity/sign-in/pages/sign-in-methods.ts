/** The user's own ways to sign in. */
import {
  type Caller,
  common,
  type Deps,
  defineTexts,
  type PageResult,
  page,
  Type,
  together,
} from '@larder-dev/larder/kernel'
import { WayLabel } from '../../domain/fields.ts'
import { signInMethodLimits } from '../../domain/rate-limits.ts'
import { proofPageBefore, RECENT_AUTH } from '../../domain/recent-proof.ts'
import { accountTabs } from '../../pages/account-tabs.ts'
import { formValidator, NO_ERRORS, submit } from '../../pages/form.ts'
import { failureSentence } from '../domain/sign-in-failures.ts'
import type { SignInServices } from '../services.ts'

const PATH = '/account/sign-in-methods'
const GROUPS = defineTexts({ password: 'Password', passkeys: 'Passkeys', accounts: 'Connected accounts' })

export function signInMethodPages({
  clock,
  flows,
  identities,
  secondFactors,
  settings,
  signIn,
  users,
}: Deps<'clock'> & SignInServices) {
  const labelForm = formValidator<{ label: string }>(Type.Object({ label: WayLabel }))
  const view = async (caller: Caller, done: string) => {
    const { ways, user, factor } = await together({
      ways: identities.list(caller.userId),
      user: users.get(caller.userId),
      factor: settings.totp ? secondFactors.state(caller.userId) : undefined,
    })
    const addPasskey = settings.passkeys && !caller.mustVerifyEmail
    const connectable = signIn.links().filter(({ name }) => !ways.some(({ method }) => method === name))
    const rows = ways.map(way => ({
      ...way,
      isPassword: way.method === 'password',
      isPasskey: way.method === 'passkey',
    }))
    const group = { isPassword: false, isPasskeys: false, connectable: [] }
    const groups = [
      { ...group, title: GROUPS.password, isPassword: true, ways: rows.filter(({ isPassword }) => isPassword) },
      { ...group, title: GROUPS.passkeys, isPasskeys: true, ways: rows.filter(({ isPasskey }) => isPasskey) },
      { ...group, title: GROUPS.accounts, connectable, ways: rows.filter(row => !row.isPassword && !row.isPasskey) },
    ]
    const isShown = ({ isPassword, isPasskeys, ...rest }: (typeof groups)[number]): boolean =>
      (isPassword && settings.passwords) || (isPasskeys && addPasskey) || rest.ways.length + rest.connectable.length > 0
    return {
      tabs: accountTabs(settings),
      groups: groups.filter(isShown),
      addPasskey,
      // Mail to the own address is a way, too, and never removed.
      emailCodes: settings.emailLink ? user.email : null,
      secondFactor: settings.totp,
      appSince: factor?.totp?.createdAt ?? null,
      confirmPath: proofPageBefore(caller, PATH, clock.now()) ?? null,
      done,
    }
  }

  const linkOf = (name: string | undefined) => signIn.links().find(link => link.name === name)

  /**
   * Starts with a form, so that other sites can't add their account. The page that follows leaves this site: browsers
   * don't let a form do so.
   */
  function connect(caller: Caller, name: string | undefined): PageResult {
    const link = linkOf(name)
    if (!link) throw common.not_found({ what: 'sign-in method' })
    const flow = { method: link.name, next: PATH, session: {}, linkTo: caller.userId }
    return { redirect: `${PATH}/connect/${link.name}`, headers: { 'set-cookie': [flows.write(flow)] } }
  }

  return [
    page({
      name: 'identity.leave',
      path: `${PATH}/connect/:method`,
      title: 'Ways to sign in',
      allow: 'user',
      async load({ params }) {
        const link = linkOf(params.method)
        if (!link) throw common.not_found({ what: 'sign-in method' })
        const href = `/sign-in/${link.name}?link=1`
        return { data: { label: link.label, href }, headers: { refresh: `0; url=${href}` } }
      },
    }),
    page({
      name: 'identity.sign_in_methods',
      path: PATH,
      title: 'Ways to sign in',
      allow: 'user',
      limits: signInMethodLimits,
      recentAuth: { within: RECENT_AUTH, forms: ({ intent }) => intent !== 'rename' },
      async load({ caller, query }) {
        const failed = linkOf(query.failed)?.label ?? null
        const shown = { failed, failure: failureSentence(query.reason), ...NO_ERRORS }
        return { data: { ...(await view(caller, query.done ?? '')), ...shown } }
      },
      post: ({ caller, form }) =>
        submit(
          () => view(caller, ''),
          async () => {
            if (form.intent === 'connect') return connect(caller, form.id)
            if (form.intent === 'rename') {
              await identities.rename(caller.userId, form.id ?? '', labelForm(form, ['label']))
              return { redirect: `${PATH}?done=renamed` }
            }
            await identities.remove(caller, form.id ?? '')
            return { redirect: `${PATH}?done=removed` }
          },
        ),
    }),
  ]
}
