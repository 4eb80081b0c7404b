{{- define "larder.name" -}}
{{- if contains "larder" .Release.Name }}{{ .Release.Name }}{{ else }}{{ .Release.Name }}-larder{{ end }}
{{- end }}

{{- define "larder.selector" -}}
app.kubernetes.io/name: larder
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "larder.labels" -}}
{{ include "larder.selector" . }}
app.kubernetes.io/version: {{ .Values.image.tag | trunc 63 | trimSuffix "." | trimSuffix "-" | trimSuffix "_" | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{/* A single pod runs at a time on a disk of one node. */}}
{{- define "larder.onOneDisk" -}}
{{- if and (eq .Values.storage.kind "volume") (ne .Values.storage.volume.accessMode "ReadWriteMany") }}true{{ end }}
{{- end }}

{{/* Refuses values whose error would show only when pods run. */}}
{{- define "larder.check" -}}
{{- range $name := list "LARDER_SECRET" "DATABASE_URL" }}
  {{- if not (or $.Values.existingSecret (hasKey $.Values.secretKeys $name)) }}
    {{- fail (printf "\n%s is missing. Create a Secret with LARDER_SECRET and DATABASE_URL, and name it: --set existingSecret=NAME. `kubectl create secret generic shop --from-literal=LARDER_SECRET=$(openssl rand -hex 32) --from-literal=DATABASE_URL=postgres://…` creates one." $name) }}
  {{- end }}
{{- end }}
{{- if not (and .Values.image.repository .Values.image.tag) }}
  {{- fail "\nimage.repository and image.tag are required: the image that you built and pushed, such as registry.example.com/shop and 1.4.0." }}
{{- end }}
{{- if not .Values.settings.PUBLIC_URL }}
  {{- fail "\nsettings.PUBLIC_URL is required: the address that people use, such as https://app.example.com." }}
{{- end }}
{{- if not .Values.storage.kind }}
  {{- fail "\nstorage.kind is required: `bucket` if the recipe keeps files in S3, `volume` for a volume, `none` without files." }}
{{- end }}
{{- if and .Values.web.autoscaling.enabled (lt (int .Values.web.autoscaling.maxReplicas) (int .Values.web.autoscaling.minReplicas)) }}
  {{- fail "\nweb.autoscaling.maxReplicas must be at least web.autoscaling.minReplicas." }}
{{- end }}
{{- $isAlone := and (eq (int .Values.web.replicas) 1) (eq (int .Values.worker.replicas) 0) (not .Values.web.autoscaling.enabled) }}
{{- if and (eq (toString .Values.settings.BUS) "memory") (not $isAlone) }}
  {{- fail "\nsettings.BUS=memory is for a single pod: web.replicas=1, worker.replicas=0 and no autoscaling. Use postgres or redis." }}
{{- end }}
{{- if and .Values.migrate.enabled (eq (toString .Values.settings.LARDER_APPLY) "never") }}
  {{- fail "\nsettings.LARDER_APPLY=never is what pods have, and would keep the Job from migrating. Leave it out: the Job applies what is safe." }}
{{- end }}
{{- $web := ternary .Values.web.autoscaling.maxReplicas .Values.web.replicas .Values.web.autoscaling.enabled | int }}
{{- $pods := add $web (int .Values.worker.replicas) }}
{{- if and (include "larder.onOneDisk" .) (gt $pods 1) }}
  {{- fail (printf "\n%d pods can't share a volume with storage.volume.accessMode %s, because they may run on several nodes. Use storage.kind=bucket, a volume with ReadWriteMany, or a single pod: web.replicas=1, worker.replicas=0 and no autoscaling." $pods .Values.storage.volume.accessMode) }}
{{- end }}
{{- range $name, $value := .Values.variables }}
  {{- if hasKey $.Values.secretKeys $name }}
    {{- fail (printf "\n%s is in `variables` and in `secretKeys`." $name) }}
  {{- end }}
{{- end }}
{{- end }}

{{/* Pods apply nothing where a Job has done so before they are replaced, nor does one that an autoscaler starts. */}}
{{- define "larder.podVariables" -}}
{{- $variables := include "larder.variables" . | fromYaml }}
{{- if .Values.migrate.enabled }}
{{- $variables = set $variables "LARDER_APPLY" "never" }}
{{- end }}
{{- toYaml $variables }}
{{- end }}

{{/* All variables without secrets, as YAML. */}}
{{- define "larder.variables" -}}
{{- if .Values.recipe -}}
LARDER_RECIPE: {{ .Values.recipe | quote }}
{{- end }}
METRICS_PORT: {{ .Values.metricsPort | int | quote }}
{{- if and .Values.ingress.enabled (not (hasKey .Values.settings "TRUST_PROXY")) }}
TRUST_PROXY: "1"
{{- end }}
{{- range $name, $value := merge (dict) .Values.settings .Values.variables }}
{{- /* Helm writes large numbers as 1e+06. */}}
{{- $isWhole := and (kindIs "float64" $value) (eq (floor $value) $value) }}
{{ $name }}: {{ ternary (int64 $value) $value $isWhole | toString | quote }}
{{- end }}
{{- end }}

{{- define "larder.secretVariables" -}}
{{- range $name := list "LARDER_SECRET" "DATABASE_URL" }}
{{- if not (hasKey $.Values.secretKeys $name) }}
- name: {{ $name }}
  valueFrom: { secretKeyRef: { name: {{ $.Values.existingSecret | quote }}, key: {{ $name }} } }
{{- end }}
{{- end }}
{{- range $name, $key := .Values.secretKeys }}
- name: {{ $name }}
  valueFrom: { secretKeyRef: { name: {{ $key.name | quote }}, key: {{ $key.key | quote }} } }
{{- end }}
{{- end }}

{{- define "larder.podSecurity" -}}
runAsNonRoot: true
# The user `node` of the image.
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "larder.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{/* Delivers requests for SHUTDOWN_DELAY_SECONDS, and then finishes those in progress: see docs/deploy.md. */}}
{{- define "larder.gracePeriod" -}}
{{- add 20 (ternary .Values.settings.SHUTDOWN_DELAY_SECONDS 5 (hasKey .Values.settings "SHUTDOWN_DELAY_SECONDS")) }}
{{- end }}

{{/* A pod of a Deployment. Called with root, role (web or worker), command and ports. */}}
{{- define "larder.pod" -}}
{{- $values := index .root.Values .role }}
metadata:
  labels:
    {{- include "larder.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .role }}
  annotations:
    # Pods are replaced when their settings change.
    checksum/variables: {{ include "larder.podVariables" .root | sha256sum }}
    {{- with $values.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  automountServiceAccountToken: false
  enableServiceLinks: false
  {{- with .root.Values.serviceAccountName }}
  serviceAccountName: {{ . | quote }}
  {{- end }}
  {{- with .root.Values.image.pullSecrets }}
  imagePullSecrets:
    {{- range . }}
    - name: {{ . | quote }}
    {{- end }}
  {{- end }}
  terminationGracePeriodSeconds: {{ include "larder.gracePeriod" .root }}
  securityContext:
    {{- include "larder.podSecurity" .root | nindent 4 }}
  containers:
    - name: {{ .role }}
      image: "{{ .root.Values.image.repository }}:{{ .root.Values.image.tag }}"
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      args: [{{ .command }}]
      envFrom:
        - configMapRef: { name: {{ include "larder.name" .root }} }
        {{- with .root.Values.existingSecret }}
        - secretRef: { name: {{ . | quote }} }
        {{- end }}
      env:
        {{- include "larder.secretVariables" .root | trim | nindent 8 }}
      ports:
        {{- if eq .role "web" }}
        - { name: http, containerPort: 8080 }
        {{- end }}
        - { name: metrics, containerPort: {{ .root.Values.metricsPort }} }
      # A start waits for the database, for migrations and for other processes that migrate.
      startupProbe:
        httpGet: { path: /v1/health, port: {{ .port }} }
        periodSeconds: 2
        timeoutSeconds: 5
        failureThreshold: 300
      livenessProbe:
        httpGet: { path: /v1/health, port: {{ .port }} }
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      # More often than SHUTDOWN_DELAY_SECONDS.
      readinessProbe:
        httpGet: { path: /v1/health/readiness, port: {{ .port }} }
        periodSeconds: 2
        timeoutSeconds: 5
        failureThreshold: 2
      resources:
        {{- toYaml $values.resources | nindent 8 }}
      securityContext:
        {{- include "larder.containerSecurity" .root | nindent 8 }}
      volumeMounts:
        - { name: data, mountPath: /data }
        - { name: tmp, mountPath: /tmp }
  volumes:
    - name: tmp
      emptyDir: {}
    - name: data
      {{- if eq .root.Values.storage.kind "volume" }}
      persistentVolumeClaim: { claimName: {{ .root.Values.storage.volume.existingClaim | default (include "larder.name" .root) | quote }} }
      {{- else }}
      emptyDir: {}
      {{- end }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "larder.selector" .root | nindent 10 }}
          app.kubernetes.io/component: {{ .role }}
  {{- with $values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
