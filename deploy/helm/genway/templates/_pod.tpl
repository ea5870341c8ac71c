{{- define "genway.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "genway.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
runAsNonRoot: true
capabilities:
  drop: [ALL]
{{- end }}

{{- define "genway.environment" -}}
- name: GENWAY_CONFIG
  value: /etc/genway/genway.yaml
- name: LOG_LEVEL
  value: {{ .Values.logLevel | quote }}
- name: MEDIA_URL
  value: {{ .Values.mediaUrl | quote }}
{{- range $name := list "DATABASE_URL" "GENWAY_MASTER_KEY" "GENWAY_ADMIN_KEY" }}
- name: {{ $name }}
  valueFrom:
    secretKeyRef:
      name: {{ $.Values.secretName }}
      key: {{ $name }}
{{- end }}
{{- range $name := list "REDIS_URL" "AWS_ACCESS_KEY_ID" "AWS_SECRET_ACCESS_KEY" }}
- name: {{ $name }}
  valueFrom:
    secretKeyRef:
      name: {{ $.Values.secretName }}
      key: {{ $name }}
      optional: true
{{- end }}
{{- with .Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "genway.environmentFrom" -}}
{{- range .Values.providerSecretNames }}
- secretRef:
    name: {{ . }}
{{- end }}
{{- end }}
