/** Checks the fields of a form that JSON Schema itself accepts: required fields, formats, and the keys of uiSchema. */
import { didYouMean, isRecord, type RecipeDiagnostic } from '@larder-dev/larder/kernel'
import { appliedSubschemas, type Json, type Subschema, schemaDefinitions } from '../domain/schema-traversal.ts'

/** The formats that the validator of submissions checks or annotates. */
const FORMATS = [
  ...['date', 'time', 'date-time', 'iso-time', 'iso-date-time', 'duration', 'uri', 'uri-reference', 'uri-template'],
  ...['url', 'email', 'hostname', 'ipv4', 'ipv6', 'regex', 'uuid', 'json-pointer', 'json-pointer-uri-fragment'],
  ...['relative-json-pointer', 'byte', 'int32', 'int64', 'float', 'double', 'password', 'binary'],
]
/** Keywords with which the properties of an object may be declared elsewhere. */
const COMPOSING = ['$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'dependentSchemas', 'dependencies', 'patternProperties']

export function validateFields(
  schema: Json,
  uiSchema: Json | undefined,
  form: RecipeDiagnostic['path'],
): RecipeDiagnostic[] {
  return [
    ...allSubschemas({ schema, path: [] }).flatMap(part => [
      ...requiredFaults(part, [...form, 'schema']),
      ...formatFaults(part, [...form, 'schema']),
    ]),
    ...(uiSchema ? uiFaults(uiSchema, schema, [...form, 'uiSchema']) : []),
  ]
}

const allSubschemas = (part: Subschema): Subschema[] => [
  part,
  ...[...appliedSubschemas(part), ...schemaDefinitions(part)].flatMap(allSubschemas),
]

/** Undefined if other keywords may declare more. */
function propertiesOf(schema: Json): Json | undefined {
  if (COMPOSING.some(keyword => keyword in schema)) return undefined
  return isRecord(schema.properties) ? schema.properties : undefined
}

function requiredFaults({ schema, path }: Subschema, root: RecipeDiagnostic['path']): RecipeDiagnostic[] {
  const names = Object.keys(propertiesOf(schema) ?? {})
  const isOpen = schema.additionalProperties !== undefined && schema.additionalProperties !== false
  if (names.length === 0 || isOpen || !Array.isArray(schema.required)) return []
  return schema.required.flatMap((name: unknown, index) =>
    names.includes(String(name))
      ? []
      : [
          {
            code: 'unknown_property',
            path: [...root, ...path, 'required', index],
            message: `Required field "${name}" is not in properties`,
            hint: didYouMean(String(name), names) ?? `Fields are ${names.join(', ')}`,
          },
        ],
  )
}

function formatFaults({ schema: { format }, path }: Subschema, root: RecipeDiagnostic['path']): RecipeDiagnostic[] {
  if (typeof format !== 'string' || FORMATS.includes(format)) return []
  return [
    {
      code: 'unknown_format',
      path: [...root, ...path, 'format'],
      message: `Unknown format "${format}"`,
      hint: didYouMean(format, FORMATS) ?? `Formats are ${FORMATS.join(', ')}`,
    },
  ]
}

function uiFaults(uiSchema: Json, schema: Json, path: RecipeDiagnostic['path']): RecipeDiagnostic[] {
  const properties = propertiesOf(schema)
  if (!properties) return []
  const names = Object.keys(properties)
  const unknown = (name: string, at: RecipeDiagnostic['path']): RecipeDiagnostic => ({
    severity: 'warning',
    code: 'unknown_property',
    path: at,
    at: 'key',
    message: `Unknown field "${name}" in uiSchema`,
    hint: didYouMean(name, names) ?? `Fields are ${names.join(', ')}`,
  })
  const order = Array.isArray(uiSchema['ui:order']) ? uiSchema['ui:order'] : []
  return [
    ...order.flatMap((name: unknown, index) =>
      name === '*' || names.includes(String(name)) ? [] : [unknown(String(name), [...path, 'ui:order', index])],
    ),
    ...Object.entries(uiSchema).flatMap(([name, inner]) => {
      if (name.startsWith('ui:')) return []
      if (!names.includes(name)) return [unknown(name, [...path, name])]
      const property = properties[name]
      return isRecord(property) && isRecord(inner) ? uiFaults(inner, property, [...path, name]) : []
    }),
  ]
}
