/** Asks why an operator acts as a user, and in which workspace. Says what to change where the recipe doesn't allow it. */
import { useState } from 'react'
import { Dialog } from '../components/Dialog.tsx'
import { ErrorState, Loading } from '../components/EmptyState.tsx'
import { InlineCode } from '../components/InlineCode.tsx'
import { SelectField } from '../components/LabeledField.tsx'
import { ReasonDialog } from '../components/ReasonDialog.tsx'
import type { UserDetails } from '../data/api-types.ts'
import { useGet } from '../data/get.ts'
import { startImpersonation } from '../data/session.ts'
import { fill, useTexts } from '../locales/index.ts'
import { useImpersonateTexts } from './impersonate-texts.ts'

const MIN_LENGTH = 10

interface Props {
  readonly user: UserDetails
  /** The workspace that is chosen at first. */
  readonly tenantId?: string
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function Impersonate({ user, tenantId, isOpen, onClose }: Props) {
  const t = useTexts()
  const c = useImpersonateTexts()
  const workspaces = user.memberships.map(({ tenant }) => tenant)
  const [chosen, setChosen] = useState(tenantId ?? workspaces[0]?.id ?? '')
  const title = fill(c.impersonateTitle, { name: user.name ?? user.email })
  if (!user.impersonable)
    return (
      <Dialog title={title} isOpen={isOpen} onClose={onClose}>
        {user.impersonationEnabled ? <p>{c.notPossible}</p> : <TurnOn />}
      </Dialog>
    )
  return (
    <ReasonDialog
      title={title}
      text={c.impersonateText}
      hint={c.reasonHint}
      confirm={c.impersonate}
      minLength={MIN_LENGTH}
      isOpen={isOpen}
      onConfirm={reason => startImpersonation(user.id, chosen, reason)}
      onClose={onClose}
    >
      {() =>
        workspaces.length > 1 && (
          <SelectField
            label={t('workspace')}
            value={chosen}
            options={workspaces.map(({ id, name }) => [id, name])}
            onChange={setChosen}
          />
        )
      }
    </ReasonDialog>
  )
}

const LINES = `modules:
  identity:
    impersonation: true`

function TurnOn() {
  const c = useImpersonateTexts()
  return (
    <div className="form">
      <p>
        <InlineCode text={c.turnOn} />
      </p>
      <pre className="code">{LINES}</pre>
    </div>
  )
}

interface MemberProps {
  readonly userId: string
  readonly tenantId: string
  readonly onClose: () => void
}

/** Acts as a member of a workspace. */
export function ImpersonateMember({ userId, tenantId, onClose }: MemberProps) {
  const c = useImpersonateTexts()
  const { data: user, error, refetch } = useGet('/v1/identity/admin/users/{id}', { path: { id: userId } })
  if (user) return <Impersonate user={user} tenantId={tenantId} isOpen onClose={onClose} />
  return (
    <Dialog title={c.impersonate} isOpen onClose={onClose}>
      {error ? <ErrorState error={error} onRetry={refetch} /> : <Loading />}
    </Dialog>
  )
}
