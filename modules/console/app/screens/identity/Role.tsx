/** The form of a role, with a permission picker. */
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { Badge } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { ErrorState, Loading } from '../../components/EmptyState.tsx'
import { Page } from '../../components/Page.tsx'
import { toast } from '../../components/Toast.tsx'
import { UnsavedChanges } from '../../components/UnsavedChanges.tsx'
import { useAction } from '../../data/action.ts'
import { callApi } from '../../data/api.ts'
import { fieldErrors } from '../../data/problem.ts'
import { nounOf, type Resource, recordPath } from '../../data/resources.ts'
import { useStore } from '../../data/store.ts'
import { languageStore, useTexts } from '../../locales/index.ts'
import { crumbsOf, resourcePath, useRecord, useRefresh } from '../../resource/generic.ts'
import { CommandRunner, type RecordCommand, RecordMenu, useRecordCommands } from '../../resource/RecordActions.tsx'
import type { ResourceScreenProps } from '../registry.ts'
import './identity.css'
import { PermissionPicker } from './PermissionPicker.tsx'
import { texts } from './texts.ts'

interface Role {
  readonly key: string
  readonly name: string
  readonly scope: string
  readonly permissions: readonly string[]
  readonly builtIn: boolean
}
const NEW_ROLE: Role = { key: '', name: '', scope: 'tenant', permissions: [], builtIn: false }

/** In any order. */
const hasSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every(each => others.includes(each))

export default function RoleScreen({ resource, id }: ResourceScreenProps) {
  return id === '' ? <RoleForm resource={resource} role={NEW_ROLE} /> : <StoredRole resource={resource} id={id} />
}

function StoredRole({ resource, id }: { readonly resource: Resource; readonly id: string }) {
  const { data, error, isPending, refetch } = useRecord(resource, id, {})
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (isPending) return <Loading />
  return <RoleForm key={id} resource={resource} role={data.body as unknown as Role} />
}

function RoleForm({ resource, role }: { readonly resource: Resource; readonly role: Role }) {
  const t = texts[useStore(languageStore)]
  const common = useTexts()
  const navigate = useNavigate()
  const refresh = useRefresh(resource)
  const commands = useRecordCommands(resource)
  const [command, setCommand] = useState<RecordCommand>()
  const [key, setKey] = useState(role.key)
  const [name, setName] = useState(role.name)
  const [permissions, setPermissions] = useState(role.permissions)
  const [failure, setFailure] = useState<unknown>()
  const { isBusy, run } = useAction({ onFailure: setFailure })
  const isNew = role.key === ''
  const operation = isNew ? resource.operations.create : resource.operations.update
  const isReadOnly = role.builtIn || operation === undefined
  const errors = fieldErrors(failure)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!operation) return
    run(async () => {
      const path = isNew ? operation.path : recordPath(operation, {}, role.key)
      const body = isNew ? { key, name, permissions } : { name, permissions }
      await callApi({ method: operation.method, path, body })
      toast(isNew ? common('created', { name }) : common('saved'))
      await refresh()
      navigate({ to: resourcePath(resource), ignoreBlocker: true })
    })
  }
  const isDirty = key !== role.key || name !== role.name || !hasSame(permissions, role.permissions)
  return (
    <Page
      title={isNew ? common('createTitle', { name: nounOf(resource) }) : role.name}
      crumbs={crumbsOf(resource)}
      badge={role.scope === 'platform' && <Badge text={role.scope} />}
      actions={!isNew && !role.builtIn && <RecordMenu label={role.name} commands={commands} onRun={setCommand} />}
    >
      {role.builtIn && <p className="lead">{t.builtIn}</p>}
      <form className="role-form" onSubmit={submit}>
        {failure instanceof Error && (
          <p className="notice danger" role="alert">
            {[failure.message, ...errors.values()].join(' ')}
          </p>
        )}
        <div className="field">
          <label htmlFor="role-name">{t.name}</label>
          <input id="role-name" required readOnly={isReadOnly} value={name} onChange={e => setName(e.target.value)} />
        </div>
        <div className="field">
          <label htmlFor="role-key">{t.key}</label>
          <input id="role-key" required readOnly={!isNew} value={key} onChange={e => setKey(e.target.value)} />
          {isNew && <p className="hint">{t.keyHint}</p>}
        </div>
        <PermissionPicker chosen={permissions} isReadOnly={isReadOnly} onChange={setPermissions} />
        {!isReadOnly && (
          <div className="form-actions">
            <Button kind="primary" type="submit" isDisabled={isBusy}>
              {isNew ? common('createSubmit', { name: nounOf(resource) }) : common('save')}
            </Button>
          </div>
        )}
      </form>
      <CommandRunner
        resource={resource}
        scope={{}}
        rows={[{ ...role }]}
        command={command}
        onClose={() => setCommand(undefined)}
        onDone={() => navigate({ to: resourcePath(resource), ignoreBlocker: true })}
      />
      <UnsavedChanges isDirty={isDirty} />
    </Page>
  )
}
