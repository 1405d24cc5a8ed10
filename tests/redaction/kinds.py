"""Kinds of secrets: a name in files, a name in speech, a shape, and whether the shape alone tells.

`|` separates the columns; a kind whose last column is `bare` must be found without any name.
"""

_TABLE = """
adafruit-io | ADAFRUIT_IO_KEY | Adafruit IO key | aio_{b62:28} | bare
airtable-pat | AIRTABLE_TOKEN | Airtable personal access token | pat{b62:14}.{hex:64} | bare
algolia-admin | ALGOLIA_ADMIN_KEY | Algolia admin key | {hex:32} |
alibaba-id | ALIBABA_ACCESS_KEY_ID | Alibaba access key id | LTAI{b62:20} | bare
alibaba-secret | ALIBABA_ACCESS_KEY_SECRET | Alibaba access key secret | {b62:30} |
amplitude-secret | AMPLITUDE_SECRET_KEY | Amplitude secret key | {hex:32} |
adyen | ADYEN_API_KEY | Adyen key | AQE{b64:60} |
asana | ASANA_TOKEN | Asana token | 1/{dig:16}:{hex:32} |
atlassian-api | JIRA_API_TOKEN | Jira API token | ATATT3xFfGF0{url:170}={HEX:8} | bare
auth0-secret | AUTH0_CLIENT_SECRET | Auth0 client secret | {url:64} |
aws-secret | AWS_SECRET_ACCESS_KEY | AWS secret access key | {b64:40} |
aws-session-token | AWS_SESSION_TOKEN | AWS session token | IQoJb3JpZ2luX2VjE{b64:200} |
aws-bedrock | AWS_BEARER_TOKEN_BEDROCK | Bedrock API key | ABSK{b64:110}= | bare
azure-client-secret | AZURE_CLIENT_SECRET | Azure client secret | {b62:3}8Q~{url:34} | bare
azure-account-key | AZURE_STORAGE_KEY | storage account key | {b64:86}== |
azure-devops | AZURE_DEVOPS_PAT | Azure DevOps PAT | {low:52} |
azure-devops-new | AZDO_PAT | Azure DevOps token | {b62:76}AZDO{b62:4} | bare
bitbucket-app | BITBUCKET_APP_PASSWORD | Bitbucket app password | ATBB{b62:32} | bare
brevo | BREVO_API_KEY | Brevo key | xkeysib-{hex:64}-{b62:16} | bare
buildkite | BUILDKITE_TOKEN | Buildkite token | bkua_{hex:40} | bare
buildkite-agent | BUILDKITE_AGENT_TOKEN | Buildkite agent token | bkct_{b62:40} | bare
circleci-pat | CIRCLE_TOKEN | CircleCI token | CCIPAT_{b62:22}_{hex:40} | bare
clerk | CLERK_SECRET_KEY | Clerk secret key | sk_test_{b62:42} | bare
clojars | CLOJARS_TOKEN | Clojars token | CLOJARS_{hex:60} | bare
cloudflare-ca | CF_ORIGIN_CA_KEY | Cloudflare origin CA key | v1.0-{hex:24}-{hex:146} | bare
codecov | CODECOV_TOKEN | Codecov token | {uuid} |
cohere | COHERE_API_KEY | Cohere key | {b62:40} |
coinbase | COINBASE_SECRET | Coinbase secret | {b64:86}== |
confluent | CONFLUENT_CLOUD_API_SECRET | Confluent secret | {b64:64} |
contentful | CONTENTFUL_MANAGEMENT_TOKEN | Contentful token | CFPAT-{url:43} | bare
cratesio | CARGO_REGISTRY_TOKEN | crates.io token | cio{b62:32} | bare
datadog | DD_API_KEY | Datadog key | {hex:32} |
deepgram | DEEPGRAM_API_KEY | Deepgram key | {hex:40} |
deepseek | DEEPSEEK_API_KEY | DeepSeek key | sk-{hex:32} | bare
django | DJANGO_SECRET_KEY | Django secret key | django-insecure-{sign:50} |
docker-pat | DOCKER_PASSWORD | Docker Hub token | dckr_pat_{url:27} | bare
docker-oat | DOCKERHUB_ORG_TOKEN | Docker org token | dckr_oat_{url:32} | bare
doppler | DOPPLER_TOKEN | Doppler token | dp.pt.{b62:43} | bare
dropbox | DROPBOX_TOKEN | Dropbox token | sl.{url:130} | bare
duffel | DUFFEL_TOKEN | Duffel token | duffel_live_{url:43} | bare
dynatrace | DT_API_TOKEN | Dynatrace token | dt0c01.{up:24}.{up:64} | bare
easypost | EASYPOST_API_KEY | EasyPost key | EZAK{b62:54} | bare
elevenlabs | ELEVENLABS_API_KEY | ElevenLabs key | sk_{hex:48} | bare
fastly | FASTLY_API_TOKEN | Fastly token | {url:32} |
facebook | FB_ACCESS_TOKEN | Facebook access token | EAAG{b62:160} | bare
figma | FIGMA_TOKEN | Figma token | figd_{url:40} | bare
fireworks | FIREWORKS_API_KEY | Fireworks key | fw_{b62:24} | bare
firebase-server | FCM_SERVER_KEY | Firebase server key | AAAA{url:7}:APA91b{url:134} | bare
flutterwave | FLW_SECRET_KEY | Flutterwave secret key | FLWSECK-{hex:32}-X | bare
fly | FLY_API_TOKEN | Fly token | fm2_{b64:180} | bare
frameio | FRAMEIO_TOKEN | Frame.io token | fio-u-{url:64} | bare
freshdesk | FRESHDESK_API_KEY | Freshdesk key | {b62:20} |
gitea | GITEA_TOKEN | Gitea token | {hex:40} |
gitlab-deploy | GITLAB_DEPLOY_TOKEN | GitLab deploy token | gldt-{url:20} | bare
gitlab-feed | GITLAB_FEED_TOKEN | GitLab feed token | glft-{url:20} | bare
gitlab-oauth | GITLAB_OAUTH_SECRET | GitLab OAuth secret | gloas-{hex:64} | bare
gitlab-agent | GITLAB_AGENT_TOKEN | GitLab agent token | glagent-{url:50} | bare
gitlab-routable | GITLAB_PRIVATE_TOKEN | GitLab token | glpat-{url:27}.01.{low:9} | bare
gocardless | GOCARDLESS_TOKEN | GoCardless token | live_{url:40} | bare
google-ai | GEMINI_API_KEY | Gemini key | AIza{url:35} | bare
google-refresh | GOOGLE_REFRESH_TOKEN | Google refresh token | 1//0{url:100} | bare
grafana-cloud | GRAFANA_CLOUD_TOKEN | Grafana cloud token | glc_eyJvIjoi{b62:110} | bare
groq | GROQ_API_KEY | Groq key | gsk_{b62:52} | bare
harness | HARNESS_PAT | Harness token | pat.{b62:22}.{hex:24}.{b62:20} | bare
hashicorp-tfc | TFE_TOKEN | Terraform cloud token | {b62:14}.atlasv1.{b62:66} | bare
hubspot | HUBSPOT_TOKEN | HubSpot private app token | pat-na1-{uuid} | bare
infracost | INFRACOST_API_KEY | Infracost key | ico-{b62:32} | bare
intercom | INTERCOM_TOKEN | Intercom token | dG9rOj{b64:48}= |
jenkins | JENKINS_API_TOKEN | Jenkins token | 11{hex:32} |
jfrog-identity | ARTIFACTORY_TOKEN | Artifactory token | cmVmdGtuOj{b62:54} | bare
jfrog-api | ARTIFACTORY_API_KEY | Artifactory key | AKCp{b62:69} | bare
kraken | KRAKEN_PRIVATE_KEY | Kraken private key | {b64:86}== |
kubernetes-bootstrap | BOOTSTRAP_TOKEN | bootstrap token | {low:6}.{low:16} |
langfuse | LANGFUSE_SECRET_KEY | Langfuse secret key | sk-lf-{uuid} | bare
langsmith | LANGSMITH_API_KEY | LangSmith key | lsv2_pt_{hex:32}_{hex:10} | bare
launchdarkly | LD_SDK_KEY | LaunchDarkly SDK key | sdk-{uuid} | bare
linear | LINEAR_API_KEY | Linear key | lin_api_{b62:40} | bare
linear-oauth | LINEAR_OAUTH_TOKEN | Linear OAuth token | lin_oauth_{hex:64} | bare
line-channel | LINE_CHANNEL_ACCESS_TOKEN | LINE channel access token | {b64:170}= |
lob | LOB_API_KEY | Lob key | live_{hex:35} | bare
mailchimp | MAILCHIMP_API_KEY | Mailchimp key | {hex:32}-us12 | bare
mailgun-new | MAILGUN_API_KEY | Mailgun key | {hex:32}-{hex:8}-{hex:8} |
mapbox-secret | MAPBOX_SECRET_TOKEN | Mapbox token | sk.eyJ1Ijoi{b62:60}.{url:22} | bare
mattermost | MATTERMOST_TOKEN | Mattermost token | {low:26} |
messagebird | MESSAGEBIRD_KEY | MessageBird key | {b62:25} |
mistral | MISTRAL_API_KEY | Mistral key | {b62:32} |
modal | MODAL_TOKEN_SECRET | Modal secret | as-{b62:22} | bare
mongodb-atlas | MONGODB_ATLAS_PRIVATE_KEY | Atlas private key | {uuid} |
neon | NEON_API_KEY | Neon key | napi_{low:64} | bare
netlify | NETLIFY_AUTH_TOKEN | Netlify token | nfp_{b62:36} | bare
newrelic-insert | NEW_RELIC_INSERT_KEY | New Relic insert key | NRII-{url:32} | bare
newrelic-license | NEW_RELIC_LICENSE_KEY | New Relic license key | {hex:36}NRAL |
ngrok | NGROK_AUTHTOKEN | ngrok authtoken | 2{b62:26}_{b62:21} |
notion-old | NOTION_TOKEN | Notion secret | secret_{b62:43} | bare
nuget | NUGET_API_KEY | NuGet key | oy2{low:43} | bare
nvidia | NVIDIA_API_KEY | NVIDIA key | nvapi-{url:64} | bare
octopus | OCTOPUS_API_KEY | Octopus key | API-{up:26} | bare
okta | OKTA_API_TOKEN | Okta token | 00{url:40} |
onepassword | OP_SERVICE_ACCOUNT_TOKEN | 1Password service token | ops_eyJ{b62:250} | bare
openai-service | OPENAI_API_KEY | OpenAI key | sk-svcacct-{url:74}T3BlbkFJ{url:74} | bare
openshift | OPENSHIFT_TOKEN | OpenShift token | sha256~{url:43} | bare
pagerduty | PAGERDUTY_TOKEN | PagerDuty token | {url:20} |
paypal | PAYPAL_CLIENT_SECRET | PayPal client secret | E{url:79} |
perplexity | PERPLEXITY_API_KEY | Perplexity key | pplx-{b62:48} | bare
pinecone | PINECONE_API_KEY | Pinecone key | pcsk_{b62:6}_{b62:63} | bare
plaid | PLAID_ACCESS_TOKEN | Plaid access token | access-production-{uuid} | bare
plaid-secret | PLAID_SECRET | Plaid secret | {hex:30} |
planetscale | PLANETSCALE_TOKEN | PlanetScale token | pscale_tkn_{url:43} | bare
posthog | POSTHOG_PERSONAL_KEY | PostHog personal key | phx_{b62:43} | bare
postman | POSTMAN_API_KEY | Postman key | PMAK-{hex:24}-{hex:34} | bare
postmark | POSTMARK_SERVER_TOKEN | Postmark server token | {uuid} |
prefect | PREFECT_API_KEY | Prefect key | pnu_{low:36} | bare
pulumi | PULUMI_ACCESS_TOKEN | Pulumi token | pul-{hex:40} | bare
pusher | PUSHER_APP_SECRET | Pusher secret | {hex:20} |
pypi | TWINE_PASSWORD | PyPI token | pypi-AgEIcHlwaS5vcmc{url:150} | bare
quay | QUAY_ROBOT_TOKEN | Quay robot token | {up:64} |
razorpay | RAZORPAY_KEY_SECRET | Razorpay secret | {b62:24} |
readme | README_API_KEY | ReadMe key | rdme_{low:70} | bare
replicate | REPLICATE_API_TOKEN | Replicate token | r8_{b62:37} | bare
rubygems | GEM_HOST_API_KEY | RubyGems key | rubygems_{hex:48} | bare
scaleway | SCW_SECRET_KEY | Scaleway secret key | {uuid} |
sendgrid | SENDGRID_API_KEY | SendGrid key | SG.{url:22}.{url:43} | bare
sentry-org | SENTRY_AUTH_TOKEN | Sentry org token | sntrys_eyJpYXQiOjE3{b62:90}_{b64:43} | bare
shippo | SHIPPO_TOKEN | Shippo token | shippo_live_{hex:40} | bare
shopify-shared | SHOPIFY_SHARED_SECRET | Shopify secret | shpss_{hex:32} | bare
slack-config | SLACK_CONFIG_TOKEN | Slack configuration token | xoxe.xoxp-1-{b62:160} | bare
snyk | SNYK_TOKEN | Snyk token | {uuid} |
sonar-user | SONAR_TOKEN | Sonar token | squ_{hex:40} | bare
sourcegraph | SRC_ACCESS_TOKEN | Sourcegraph token | sgp_{hex:16}_{hex:40} | bare
square | SQUARE_ACCESS_TOKEN | Square access token | EAAA{url:60} | bare
square-oauth | SQUARE_SECRET | Square application secret | sq0csp-{url:43} | bare
stripe-restricted | STRIPE_RESTRICTED_KEY | Stripe restricted key | rk_live_{b62:99} | bare
supabase-secret | SUPABASE_SECRET_KEY | Supabase secret key | sb_secret_{url:31} | bare
supabase-pat | SUPABASE_ACCESS_TOKEN | Supabase token | sbp_{hex:40} | bare
tailscale | TS_AUTHKEY | Tailscale auth key | tskey-auth-k{b62:11}CNTRL-{b62:32} | bare
tailscale-api | TS_API_KEY | Tailscale key | tskey-api-k{b62:11}CNTRL-{b62:33} | bare
telegram | TELEGRAM_BOT_TOKEN | Telegram bot token | {dig:10}:AA{url:33} | bare
together | TOGETHER_API_KEY | Together key | tgp_v1_{url:43} | bare
travis | TRAVIS_TOKEN | Travis token | {url:22} |
trello | TRELLO_TOKEN | Trello token | ATTA{hex:64}{HEX:8} | bare
twilio-token | TWILIO_AUTH_TOKEN | Twilio auth token | {hex:32} |
twitch | TWITCH_CLIENT_SECRET | Twitch client secret | {low:30} |
twitter | TWITTER_BEARER_TOKEN | Twitter token | AAAAAAAAAAAAAAAAA{b62:60}%3D{b62:30} | bare
typeform | TYPEFORM_TOKEN | Typeform token | tfp_{b62:40}_{b62:13} | bare
vault-batch | VAULT_TOKEN | Vault batch token | hvb.{url:140} | bare
vault-old | VAULT_ROOT_TOKEN | Vault root token | s.{b62:24} |
vercel | VERCEL_TOKEN | Vercel token | {b62:24} |
vercel-new | VERCEL_ACCESS_TOKEN | Vercel access token | vcp_{b62:56} | bare
voyage | VOYAGE_API_KEY | Voyage key | pa-{url:43} | bare
wakatime | WAKATIME_KEY | WakaTime key | waka_{uuid} | bare
wandb | WANDB_API_KEY | W&B key | {hex:40} |
weaviate | WEAVIATE_API_KEY | Weaviate key | {b62:36} |
workos | WORKOS_API_KEY | WorkOS key | sk_live_{b64:60} |
xai | XAI_API_KEY | xAI key | xai-{b62:80} | bare
yandex-cloud | YC_API_KEY | ключ Yandex Cloud | AQVN{url:36} | bare
yandex-oauth | YANDEX_OAUTH_TOKEN | Yandex OAuth token | y0_{url:55} | bare
zendesk | ZENDESK_TOKEN | Zendesk token | {b62:40} |
zapier-nla | ZAPIER_KEY | Zapier key | sk-ak-{b62:24} | bare
database-password | DB_PASSWORD | database password | {pw} |
smtp-password | SMTP_PASS | SMTP password | {b62:16} |
admin-password | ADMIN_PASSWORD | admin password | {phrase} |
redis-auth | REDISCLI_AUTH | Redis password | {url:32} |
mysql-password | MYSQL_PWD | MySQL password | {sign:18} |
laravel | APP_KEY | Laravel app key | base64:{b64:43}= |
rails | RAILS_MASTER_KEY | Rails master key | {hex:32} |
nextauth | NEXTAUTH_SECRET | NextAuth secret | {b64:43}= |
fernet | FERNET_KEY | Fernet key | {url:43}= |
jwt-secret | JWT_SIGNING_KEY | JWT signing key | {sign:48} |
encryption-salt | HASHIDS_SALT | hashing salt | {b62:32} |
webhook-secret | GITHUB_WEBHOOK_SECRET | webhook secret | {hex:40} |
jwt | ID_TOKEN | id token | eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiI{b62:40}.{url:86} | bare
paseto | SESSION_TOKEN | session token | v4.local.{url:120} | bare
age | SOPS_AGE_KEY | age key | AGE-SECRET-KEY-1{up:58} | bare
wireguard | WG_PRIVATE_KEY | WireGuard private key | {b64:42}0= |
ethereum-key | ETH_PRIVATE_KEY | wallet private key | 0x{hex:64} |
totp | TOTP_SECRET | TOTP secret | {b32:32} |
"""


class Kind:
    """One kind of secret; `bare` if it must be found where nothing names it."""

    def __init__(self, row: str) -> None:
        cells = [cell.strip() for cell in row.split(" |")]
        self.name, self.variable, self.label, self.shape = cells[:4]
        self.bare = cells[4:] == ["bare"]

    @property
    def camel(self) -> str:
        """The variable's name as JavaScript writes it."""
        first, *rest = self.variable.lower().split("_")
        return first + "".join(word.title() for word in rest)


KINDS = [Kind(row) for row in _TABLE.strip().splitlines()]
