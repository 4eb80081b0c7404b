import { useEffect, useState } from 'react'
import {
  type Api,
  Badge,
  Button,
  FilterSelect,
  fill,
  formatDate,
  hasArea,
  ImpersonateMember,
  Menu,
  ScreenLink,
  useGet,
  useImpersonateTexts,
  usePermissions,
} from '../../public.ts'
import { nameOf, snoozeTimes } from './inbox.ts'
import { isTyping } from './keys.ts'
import { formatTime, useInboxTexts } from './texts.ts'

interface Props {
  readonly conversation: Api.InboxConversationDetails
  readonly userId: string | undefined
  readonly mayAnswer: boolean
  readonly isBusy: boolean
  readonly onBack: () => void
  /** Resolves to whether the change was saved. */
  readonly onChange: (body: Api.UpdateInboxConversationInput, message: string) => Promise<boolean>
  readonly onResolve: () => void
  readonly onDone: () => void
}

export function ThreadHeader(props: Props) {
  const c = useInboxTexts()
  const { conversation, mayAnswer, onBack } = props
  const { requester, status, snoozedUntil, assignee } = conversation
  const name = nameOf(requester) ?? c.formerMember
  return (
    <header className="inbox-head">
      <span className="inbox-back">
        <Button kind="quiet" icon="arrow-left" label={c.back} onPress={onBack} />
      </span>
      <div className="inbox-head-title">
        <h2>{conversation.subject ?? c.noSubject}</h2>
        <p className="muted">
          {name}
          {requester.name !== null && requester.email !== null && ` · ${requester.email}`}
        </p>
        <Origin conversation={conversation} />
        {status !== 'open' && (
          <Badge
            text={status}
            label={snoozedUntil ? fill(c.snoozedUntil, { time: formatDate(snoozedUntil) }) : c[status]}
          />
        )}
        {!mayAnswer && assignee && (
          <p className="muted">
            {c.assignee}: {nameOf(assignee) ?? c.formerMember}
          </p>
        )}
      </div>
      {mayAnswer && <Actions {...props} />}
    </header>
  )
}

/** Where a customer of the operator asks from, and what their plan is. */
function Origin({ conversation: { workspace, requester } }: Pick<Props, 'conversation'>) {
  const c = useInboxTexts()
  const act = useImpersonateTexts()
  const { mayOnPlatform } = usePermissions()
  const [isActing, setActing] = useState(false)
  const { data: plans } = useGet('/v1/billing/plans', { isEnabled: Boolean(workspace?.planKey) })
  if (!workspace) return null
  const { id, name, planKey, suspendedAt } = workspace
  const plan = plans?.data.find(({ key }) => key === planKey)?.name ?? planKey
  const mayAct = mayOnPlatform('identity.user.impersonate') && mayOnPlatform('identity.user.read_all')
  return (
    <div className="inbox-origin">
      <span>
        {c.workspace}:{' '}
        {hasArea('identity') && mayOnPlatform('identity.tenant.read_all') ? (
          <ScreenLink className="plain" to={`/identity/workspaces/${id}`}>
            {name}
          </ScreenLink>
        ) : (
          name
        )}
      </span>
      {plan !== null && (
        <span>
          {c.plan}: {plan}
        </span>
      )}
      {suspendedAt !== null && <Badge text="suspended" label={c.suspended} />}
      {mayAct && requester.email !== null && (
        <Button kind="quiet" icon="eye" onPress={() => setActing(true)}>
          {act.impersonate}
        </Button>
      )}
      {isActing && <ImpersonateMember userId={requester.userId} tenantId={id} onClose={() => setActing(false)} />}
    </div>
  )
}

function Actions({ conversation, userId, isBusy, onChange, onResolve, onDone }: Props) {
  const c = useInboxTexts()
  const { data } = useGet('/v1/messaging/inbox/assignees')
  const { status, assigneeId } = { ...conversation, assigneeId: conversation.assignee?.userId ?? '' }
  const people = data?.data ?? []
  const current = conversation.assignee
  // A person who lost the permission stays assigned until someone else is.
  const options = current && !people.some(person => person.userId === assigneeId) ? [...people, current] : people
  const labelOf = (person: Api.InboxPerson) => nameOf(person) ?? c.formerMember
  const assign = (wanted: string) => {
    const person = options.find(each => each.userId === wanted)
    const message = person ? fill(c.assigned, { name: labelOf(person) }) : c.unassignedDone
    return onChange({ assigneeId: wanted || null }, message)
  }
  const snooze = async (until: Date) => {
    if (await onChange({ status: 'snoozed', snoozedUntil: until.toISOString() }, c.snoozedDone)) onDone()
  }
  const times = snoozeTimes(new Date())
  const isMine = userId !== undefined && assigneeId === userId
  const mayTake = !isMine && people.some(person => person.userId === userId)
  const [isSnoozing, setSnoozing] = useState(false)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const canTake = event.key === 'i' && mayTake
      const canSnooze = event.key === 'h' && status === 'open'
      if (isTyping(event) || isBusy || !(canTake || canSnooze)) return
      event.preventDefault()
      if (canTake) void assign(userId ?? '')
      else setSnoozing(true)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  })
  return (
    <div className="inbox-actions row">
      <FilterSelect
        label={c.assignee}
        value={assigneeId}
        all={c.nobody}
        options={options.map(person => [person.userId, labelOf(person)])}
        onChange={assign}
      />
      {mayTake && (
        <Button shortcut={['I']} isDisabled={isBusy} onPress={() => assign(userId ?? '')}>
          {c.take}
        </Button>
      )}
      {status === 'open' ? (
        <>
          <Menu
            label={c.snooze}
            isOpen={isSnoozing}
            onOpenChange={setSnoozing}
            trigger={
              <Button icon="clock" shortcut={['H']} isDisabled={isBusy}>
                {c.snooze}
              </Button>
            }
            items={[
              { id: 'hour', text: c.hour, onAction: () => snooze(times.hour) },
              {
                id: 'tomorrow',
                text: fill(c.tomorrow, { time: formatTime(times.tomorrow) }),
                onAction: () => snooze(times.tomorrow),
              },
              {
                id: 'monday',
                text: fill(c.monday, { time: formatTime(times.monday) }),
                onAction: () => snooze(times.monday),
              },
            ]}
          />
          <Button icon="check" shortcut={['E']} isDisabled={isBusy} onPress={onResolve}>
            {c.resolve}
          </Button>
        </>
      ) : (
        <Button isDisabled={isBusy} onPress={() => onChange({ status: 'open' }, c.reopened)}>
          {c.reopen}
        </Button>
      )}
    </div>
  )
}
