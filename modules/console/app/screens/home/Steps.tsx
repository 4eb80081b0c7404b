/** What the operator of a new installation does first. Each step disappears when it is done. */
import {
  audience,
  fill,
  Icon,
  isAwaited,
  nounOf,
  pageAddress,
  ScreenLink,
  Section,
  useCounts,
  useGet,
  useScreenTexts,
} from '../../public.ts'
import styles from './Home.module.css'
import { type HomePlan, MAIL } from './plan.ts'
import { texts } from './texts.ts'

const REFRESH_MS = 60_000

interface Step {
  readonly id: string
  readonly icon: string
  readonly title: string
  readonly text: string
  readonly to: string
  /** Whether it is a page of the product. */
  readonly isPage?: boolean
}

export function useSteps({ isOperator, first, staff, showsMembers }: HomePlan): {
  readonly steps: readonly Step[]
  readonly isPending: boolean
} {
  const t = useScreenTexts(texts)
  const [made] = useCounts(first ? [{ resource: first }] : [], REFRESH_MS)
  const [colleagues] = useCounts(staff ? [{ resource: staff }] : [], REFRESH_MS)
  const members = useGet('/v1/identity/members', { query: { limit: 2 }, isEnabled: showsMembers })
  const settings = useGet('/v1/platform/settings', { query: { owner: MAIL }, isEnabled: isOperator })
  if (!isOperator) return { steps: [], isPending: false }
  const steps: Step[] = []
  if (first && made?.data?.length === 0)
    steps.push({
      id: 'first',
      icon: 'plus',
      title: fill(t.createFirst, { name: nounOf(first) }),
      text: t.createFirstText,
      to: `/${first.module}/${first.name}/new`,
    })
  const people = audience === 'teams' ? members.data?.data.length : colleagues?.data?.length
  if (people !== undefined && people < 2)
    steps.push({
      id: 'invite',
      icon: 'user-plus',
      title: t.invite,
      text: t.inviteText,
      ...(audience === 'teams' ? { to: pageAddress('/workspace/members'), isPage: true } : { to: '/identity/staff' }),
    })
  if (settings.data && !sendsMail(settings.data.data))
    steps.push({ id: 'mail', icon: 'mail', title: t.connectMail, text: t.connectMailText, to: '/platform/settings' })
  return {
    steps,
    isPending: [made, colleagues, members, settings].some(each => each !== undefined && isAwaited(each)),
  }
}

/** Whether mail leaves the installation. Without the module, nothing has to. */
function sendsMail(settings: readonly { readonly id: string; readonly value: unknown }[]): boolean {
  const settingOf = (id: string) => settings.find(setting => setting.id === id)?.value
  if (!settings.some(({ id }) => id === 'SMTP_URL')) return true
  return settingOf('SMTP_URL') !== null || settingOf('comms.transport') === 'smtp' || hasUrl(settingOf('comms.smtp'))
}
const hasUrl = (smtp: unknown): boolean =>
  typeof smtp === 'object' && smtp !== null && Boolean((smtp as { readonly url?: unknown }).url)

export function Steps({ steps }: { readonly steps: readonly Step[] }) {
  const t = useScreenTexts(texts)
  return (
    <Section title={t.firstSteps}>
      <ol className={`${styles.steps} panel`}>
        {steps.map(({ id, icon, title, text, to, isPage = false }) => {
          const content = (
            <>
              <Icon name={icon} />
              <span>
                {title}
                <small>{text}</small>
              </span>
              <Icon name={isPage ? 'external-link' : 'chevron-right'} />
            </>
          )
          return (
            <li key={id}>
              {isPage ? (
                <a className="plain" href={to}>
                  {content}
                </a>
              ) : (
                <ScreenLink className="plain" to={to}>
                  {content}
                </ScreenLink>
              )}
            </li>
          )
        })}
      </ol>
    </Section>
  )
}
