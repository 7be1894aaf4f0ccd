{{/* The name of everything in a release: "carillon", or "<release>-carillon". */}}
{{- define "carillon.fullname" -}}
{{- if contains "carillon" .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-carillon" (.Release.Name | trunc 40 | trimSuffix "-") -}}
{{- end -}}
{{- end -}}

{{- define "carillon.selector" -}}
app.kubernetes.io/name: carillon
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "carillon.labels" -}}
{{ include "carillon.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "carillon.secret" -}}
{{- required "existingSecret: name a Secret with DATABASE_URL and SECRET_KEY" .Values.existingSecret -}}
{{- end -}}

{{/* What every pod has beside its containers. */}}
{{- define "carillon.podSpec" -}}
automountServiceAccountToken: false
terminationGracePeriodSeconds: {{ .Values.terminationGracePeriodSeconds }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
volumes:
  - name: tmp
    emptyDir: {}
  {{- if .Values.secretFiles }}
  - name: secrets
    secret:
      secretName: {{ include "carillon.secret" . }}
      # Octal 0440: readable for the group of the pod.
      defaultMode: 288
      items:
        {{- range .Values.secretFiles }}
        - key: {{ . }}
          path: {{ . }}
        {{- end }}
  {{- end }}
  - name: data
    {{- if .Values.persistence.existingClaim }}
    persistentVolumeClaim:
      claimName: {{ .Values.persistence.existingClaim }}
    {{- else }}
    emptyDir: {}
    {{- end }}
{{- end -}}

{{/* What every container has. */}}
{{- define "carillon.container" -}}
image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
volumeMounts:
  - name: tmp
    mountPath: /tmp
  - name: data
    mountPath: /data
  {{- if .Values.secretFiles }}
  - name: secrets
    mountPath: /run/secrets/carillon
    readOnly: true
  {{- end }}
{{- end -}}

{{/* The Secret as environment variables, unless its settings are read from files (secretFiles). */}}
{{- define "carillon.secretEnvFrom" -}}
{{- if not .Values.secretFiles }}
- secretRef:
    name: {{ include "carillon.secret" . }}
{{- end }}
{{- end -}}

{{/* The variables that name the files of secretFiles. */}}
{{- define "carillon.secretEnv" -}}
{{- range .Values.secretFiles }}
- name: {{ . }}_FILE
  value: /run/secrets/carillon/{{ . }}
{{- end }}
{{- end -}}

{{/* A Deployment of one role: a dict with root, role (api, dispatch, jobs) and values. */}}
{{- define "carillon.deployment" -}}
{{- $root := .root -}}
{{- $role := .role -}}
{{- $values := .values -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "carillon.fullname" $root }}-{{ $role }}
  labels:
    {{- include "carillon.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ $role }}
spec:
  {{- if not (and $values.autoscaling $values.autoscaling.enabled) }}
  replicas: {{ $values.replicas }}
  {{- end }}
  selector:
    matchLabels:
      {{- include "carillon.selector" $root | nindent 6 }}
      app.kubernetes.io/component: {{ $role }}
  strategy:
    type: RollingUpdate
    rollingUpdate:
      maxUnavailable: 0
      maxSurge: 1
  template:
    metadata:
      labels:
        {{- include "carillon.labels" $root | nindent 8 }}
        app.kubernetes.io/component: {{ $role }}
      annotations:
        # Other settings are other pods.
        checksum/settings: {{ $root.Values.settings | toYaml | sha256sum }}
        {{- with $root.Values.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      serviceAccountName: {{ include "carillon.fullname" $root }}
      {{- include "carillon.podSpec" $root | nindent 6 }}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              {{- include "carillon.selector" $root | nindent 14 }}
              app.kubernetes.io/component: {{ $role }}
      containers:
        - name: carillon
          {{- include "carillon.container" $root | nindent 10 }}
          args: ["serve", "--role", {{ $role | quote }}]
          envFrom:
            - configMapRef:
                name: {{ include "carillon.fullname" $root }}
            {{- include "carillon.secretEnvFrom" $root | nindent 12 }}
          env:
            {{- include "carillon.secretEnv" $root | nindent 12 }}
            # Prometheus and probes reach the pod by its address.
            - name: METRICS_HOST
              value: 0.0.0.0
            - name: SANDBOX
              value: "off"
          ports:
            {{- if eq $role "api" }}
            - name: http
              containerPort: 8080
            {{- end }}
            - name: metrics
              containerPort: 9464
          # A start waits for migrations of another process.
          startupProbe:
            httpGet: { path: /healthz, port: metrics }
            periodSeconds: 2
            failureThreshold: 300
          livenessProbe:
            httpGet: { path: /healthz, port: metrics }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          # An api pod is ready while it can accept, also during an outage of a carrier. A dispatch pod whose connectors
          # another one holds is ready: it takes over when that one stops.
          readinessProbe:
            httpGet: { path: {{ ternary "/readyz?for=dispatch" "/readyz" (eq $role "dispatch") }}, port: metrics }
            periodSeconds: 5
            timeoutSeconds: 4
            failureThreshold: 2
          {{- if eq $role "api" }}
          lifecycle:
            preStop:
              # Until nobody sends requests here any more.
              exec:
                command: ["sleep", "5"]
          {{- end }}
          resources:
            {{- toYaml $values.resources | nindent 12 }}
{{- end -}}
