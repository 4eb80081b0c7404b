/** Logins with their devices: of the person themselves, or of a user for the operator. */
import {
  api,
  Badge,
  ConfirmButton,
  EmptyState,
  ErrorState,
  fill,
  formatDate,
  Icon,
  Loading,
  MAX_PAGE,
  useAction,
  useGet,
  useReload,
  useTexts,
} from '../../public.ts'
import { useIdentityTexts } from './texts.ts'
import './identity.css'

interface Props {
  readonly userId: string
  readonly mayEnd: boolean
}

export function Logins({ userId, mayEnd }: Props) {
  const t = useTexts()
  const c = useIdentityTexts()
  const reload = useReload()
  const path = { id: userId }
  const { isBusy, run } = useAction({ onDone: () => reload('/v1/identity/admin/users/{id}/logins', path) })
  const { data, error, isPending, refetch } = useGet('/v1/identity/admin/users/{id}/logins', {
    path,
    query: { limit: MAX_PAGE },
  })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (isPending) return <Loading />
  // Operators end the logins of somebody else all at once.
  const isOwn = data.data.some(({ current }) => current)
  if (data.data.length === 0) return <EmptyState icon="monitor-smartphone" title={c.noLogins} />
  return (
    <>
      <ul className="entries panel">
        {data.data.map(login => {
          const device = login.device || c.unknownDevice
          return (
            <li key={login.id}>
              <Icon name="monitor-smartphone" />
              <div>
                <p title={login.userAgent ?? ''}>
                  {device} {login.current && <Badge text="active" label={c.thisBrowser} />}{' '}
                  {login.impersonation && <Badge text="warning" label={t('supportAccess')} />}
                </p>
                <p className="muted">
                  {[login.ip, fill(c.signedIn, { date: formatDate(login.createdAt) })].filter(Boolean).join(' · ')}
                </p>
                {login.impersonation && (
                  <p className="muted">
                    {login.impersonation.by.name ?? login.impersonation.by.email}: {login.impersonation.reason}
                  </p>
                )}
              </div>
              {mayEnd && !login.current && (
                <ConfirmButton
                  kind="quiet"
                  icon="power"
                  label={`${c.endLogin}: ${device}`}
                  title={c.endLoginTitle}
                  text={c.endLoginText}
                  confirm={c.endLogin}
                  danger
                  isBusy={isBusy}
                  onConfirm={() =>
                    run(
                      () =>
                        api.delete('/v1/identity/admin/users/{id}/logins/{loginId}', {
                          path: { ...path, loginId: login.id },
                        }),
                      c.loginEnded,
                    )
                  }
                />
              )}
            </li>
          )
        })}
      </ul>
      {isOwn && data.data.length > 1 && (
        <p className="more">
          <ConfirmButton
            icon="power"
            title={c.endOthersTitle}
            text={c.endOthersText}
            confirm={c.endOthers}
            danger
            isBusy={isBusy}
            onConfirm={() => run(() => api.delete('/v1/auth/sessions'), c.othersEnded)}
          />
        </p>
      )}
    </>
  )
}
