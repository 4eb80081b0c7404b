/** A button for each state that may follow the one of a row. */
import { Button } from '../components/Button.tsx'
import { ConfirmButton } from '../components/Dialog.tsx'
import { useAction } from '../data/action.ts'
import { callApi } from '../data/api.ts'
import { type Collection, isFinal, nextStates } from '../data/collection.ts'
import { isReadOnly, type Resource, type Row, recordPath, type Scope } from '../data/resources.ts'
import { useMe } from '../data/session.ts'
import { fill, useTexts, wordOf } from '../locales/index.ts'
import { useCollectionTexts } from './collection-texts.ts'
import { labelIn, useRefresh } from './generic.ts'

interface Props {
  readonly resource: Resource
  readonly collection: Collection
  readonly scope: Scope
  readonly record: Row
  readonly etag: string | null
}

export function StateButtons({ resource, collection, scope, record, etag }: Props) {
  const t = useTexts()
  const c = useCollectionTexts()
  const { data: me } = useMe()
  const refresh = useRefresh(resource)
  // The button of a state that no longer follows goes, also when the change was refused.
  const { isBusy, run } = useAction()
  const { update } = resource.operations
  const names = Object.keys(collection.fields).filter(
    name => collection.fields[name]?.states && name in record && (resource.fields ?? []).includes(name),
  )
  if (!update || !me || isReadOnly(resource, record)) return null
  const choose = (name: string, state: string) =>
    run(async () => {
      try {
        await callApi({
          method: update.method,
          path: recordPath(update, scope, String(record.id)),
          body: { [name]: state },
          ...(etag !== null && { etag }),
        })
      } finally {
        await refresh()
      }
    }, t('saved'))
  return names.flatMap(name => {
    const field = collection.fields[name]
    const next = field ? nextStates(field, record[name], me.roles) : []
    if (next.length === 0) return []
    const label = labelIn(resource, name)
    return (
      <fieldset key={name} className="row" aria-label={fill(c.changeState, { name: label })}>
        {names.length > 1 && <span className="muted">{label}</span>}
        {next.map(state => {
          const word = wordOf(state, resource.states[name])
          return field && isFinal(field, state) ? (
            <ConfirmButton
              key={state}
              title={fill(c.finalTitle, { name: label, state: word })}
              text={c.finalText}
              confirm={word}
              isBusy={isBusy}
              onConfirm={() => choose(name, state)}
            />
          ) : (
            <Button key={state} isDisabled={isBusy} onPress={() => void choose(name, state)}>
              {word}
            </Button>
          )
        })}
      </fieldset>
    )
  })
}
