/** Creates a row in a dialog, for a field that refers to it. */
import { useState } from 'react'
import { Button } from '../components/Button.tsx'
import { Dialog } from '../components/Dialog.tsx'
import { Loading } from '../components/EmptyState.tsx'
import { Form } from '../components/Form.tsx'
import { useAction } from '../data/action.ts'
import { callApi } from '../data/api.ts'
import { useDocument } from '../data/document.ts'
import { type FormValues, formBody, formValues } from '../data/form-model.ts'
import { fieldErrors } from '../data/problem.ts'
import { createTitle, keyOf, listPathOf, type Resource, type Row } from '../data/resources.ts'
import { useTexts } from '../locales/index.ts'
import ConflictLinks from './ConflictLinks.tsx'
import { fieldsOf, invalidTexts, useRefresh } from './generic.ts'

interface Props {
  readonly resource: Resource
  readonly onCreated: (key: string) => void
  readonly onClose: () => void
}

export function NewRow({ resource, onCreated, onClose }: Props) {
  const t = useTexts()
  const refresh = useRefresh(resource)
  const { data: document } = useDocument()
  const [values, setValues] = useState<FormValues>()
  const [failure, setFailure] = useState<unknown>()
  const [refused, setRefused] = useState<Row>({})
  const [invalid, setInvalid] = useState<ReadonlyMap<string, string>>(new Map())
  const { isBusy, run } = useAction({ onFailure: setFailure })
  const fields = document ? fieldsOf(resource, resource.operations.create?.id, document, resource.fields) : []
  const shown = values ?? formValues(fields)
  const create = () => {
    const { body, invalid: wrong } = formBody(fields, shown)
    setInvalid(invalidTexts(wrong, t))
    if (wrong.length > 0) return
    setRefused(body as Row)
    run(async () => {
      const { body: row } = await callApi<Row>({ method: 'POST', path: listPathOf(resource), body })
      await refresh()
      onCreated(keyOf(resource, row))
    })
  }
  return (
    <Dialog title={createTitle(resource, t)} isOpen onClose={onClose} size="large">
      {document ? (
        <Form
          fields={fields}
          values={shown}
          errors={new Map([...fieldErrors(failure), ...invalid])}
          failure={failure}
          afterFailure={<ConflictLinks resource={resource} failure={failure} row={refused} />}
          onChange={setValues}
          onSubmit={create}
        >
          <Button onPress={onClose}>{t('cancel')}</Button>
          <Button kind="primary" type="submit" isDisabled={isBusy}>
            {createTitle(resource, t, 'createSubmit')}
          </Button>
        </Form>
      ) : (
        <Loading />
      )}
    </Dialog>
  )
}
