/** Ends a session or a stream for everyone, after a question. */
import { api, ConfirmButton, useAction, usePermissions } from '../../public.ts'
import { isOver, useStreamTexts } from './texts.ts'

interface Props {
  readonly session: { readonly id: string; readonly code: string; readonly status: string }
  readonly onDone: () => unknown
}

export function EndSession({ session, onDone }: Props) {
  const c = useStreamTexts()
  const { may } = usePermissions()
  const { isBusy, run } = useAction({ onDone })
  if (isOver(session.status) || !may('sessions.session.end')) return null
  return (
    <ConfirmButton
      kind="danger"
      icon="power"
      title={c.endTitle.replace('{code}', session.code)}
      text={c.endText}
      confirm={c.end}
      danger
      isBusy={isBusy}
      onConfirm={() => run(() => api.post('/v1/sessions/{id}/end', { path: { id: session.id } }), c.endDone)}
    />
  )
}
