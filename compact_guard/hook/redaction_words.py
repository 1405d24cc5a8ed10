"""Words that announce a secret, in the languages people talk to agents in, and words that do not.

All in lower case. A cue is looked for as a plain string; what stands around it decides.
"""

# A person makes these up, so that a mere word with a number in it may be one.
_MADE_UP_LATIN = (
    "ww", "wachtzin", "toegangscode", "wagwoord", "kodeord", "kodord", "løsen", "løsenord", "lösen",
    "lösenfras", "lykilorð", "salalause", "tunnussana", "salasõna", "parole", "slaptažod",
    "jelszava", "jelszav", "parolă", "şifrə", "šifra", "zaporka", "fjalëkalim", "contrasenya",
    "contrasinal", "hasełko", "pasahitz",
    "pasfhocal", "cyfrinair", "nenosiri", "palavra passe", "mã truy cập",
    "mật mã", "kata kunci", "pasvorto",
)  # fmt: skip
_MADE_UP_FOREIGN = (
    "συνθηματικ", "ססמ", "كلمة مرور", "كلمة سر", "باسورد", "باسوورد", "پسورد", "پاس ورڈ", "कूटशब्द",
    "পাসওয়ার্ড", "પાસવર્ડ", "ਪਾਸਵਰਡ", "పాస్‌వర్డ్", "ಪಾಸ್‌ವರ್ಡ್", "പാസ്‌വേഡ്", "รหัสลับ", "พาสเวิร์ด",
    "ពាក្យសម្ងាត់",
    "գաղտնաբառ", "პაროლ", "패스워드", "패스프레이즈", "암구호", "合言葉", "合い言葉",
    "通行码", "通行碼",
)  # fmt: skip
# Cues made of Latin letters must not be a part of another word (`key` in `monkey`).
LATIN = (
    "password", "passwd", "passphrase", "passcode", "pass", "pwd", "psw", "pw", "psk", "secret",
    "token", "credential", "creds", "apikey", "api key", "key", "cookie", "session", "sid", "auth",
    "bearer", "dsn", "salt", "pat", "jwt", "webhook", "signature", "sig", "pin", "otp", "seed",
    "mnemonic", "login", "logon", "license", "licence", "bindpw", "hmac", "access code", "pepper",
    "identified by",
    "passwort", "kennwort", "zugangsdaten", "zugangscode", "schlüssel", "geheimnis", "losung",
    "mot de passe", "mdp", "code d'accès", "code secret", "clé", "jeton", "identifiants",
    "contraseña", "contrasena", "clave", "llave", "secreto", "credenciales",
    "senha", "chave", "segredo", "palavra-passe", "credenciais",
    "parola", "chiave", "segreto", "credenziali",
    "hasło", "haslo", "hasła", "hasłem", "klucz", "sekret", "heslo", "heslem", "hesla", "klíč",
    "wachtwoord", "sleutel", "geheim", "lösenord", "nyckel", "passord", "adgangskode", "salasana",
    "jelszó", "şifre", "sifre", "anahtar", "lozinka", "geslo", "parool", "slaptažodis",
    "mật khẩu", "khóa", "mã bí mật", "kata sandi", "sandi", "kata laluan", "kunci",
    "nøgle", "nøkkel", "hemmelighed", "hemmelighet", "hemlighet", "avain", "võti", "atslēga",
    "raktas", "kulcs", "cheie", "cheia", "kľúč", "ključ", "khoá", "inloggegevens", *_MADE_UP_LATIN,
)  # fmt: skip
FOREIGN = (
    "парол", "пасс", "токен", "ключ", "секрет", "доступ", "гасло", "лозинк",
    "密码", "密碼", "口令", "密钥", "密鑰", "令牌", "凭证", "凭据", "秘钥", "暗号",
    "パスワード", "トークン", "シークレット", "キー", "鍵", "暗証番号", "パス",
    "비밀번호", "암호", "토큰", "시크릿", "비번", "키",
    "पासवर्ड", "कुंजी", "टोकन", "پاسورد", "رمز", "كلمة المرور", "كلمة السر", "مفتاح", "الرقم السري",
    "סיסמ", "מפתח", "รหัสผ่าน", "κωδικ", "κλειδ", "পাসওয়ার্ড", "கடவுச்சொல்", "گذرواژه", "توكن",
    "توکن", "کلید", "טוקן", "אסימון", "โทเค็น", "คีย์", "กุญแจ", "权杖", "權杖", "열쇠",
    *_MADE_UP_FOREIGN,
)  # fmt: skip
# Letters that may follow a Latin cue inside its own word: plurals, cases, articles.
ENDINGS = frozenset((
    "", "s", "n", "en", "er", "et", "e", "es", "i", "si", "sı", "ini", "em", "u", "a", "ele",
    "phrase", "word", "code", "wd", "set", "id", "ids", "in", "y", "nin", "niz", "m", "im", "isi",
    "nya", "ku", "mu", "ları", "sını", "larını", "nı", "yı",
))  # fmt: skip
PASSWORDS = (  # made up by people
    "pass", "pwd", "pw", "passwort", "kennwort", "mot de passe", "mdp", "contrase", "clave",
    "senha",
    "parola", "hasł", "hasl", "hesl", "wachtwoord", "lösenord", "salasana", "jelszó", "şifre",
    "sifre", "mật khẩu", "sandi", "парол", "пасс", "гасло", "лозинк", "密码", "密碼", "口令",
    "暗号", "パス", "비밀번호", "암호", "비번", "पासवर्ड",
    "كلمة", "סיסמ", "รหัสผ่าน", "κωδικ", "creds", "credential", "login",
    "zugang", "psk", "identified by", "доступ", "secret", "adgangskode", "geslo", "lozinka", "code",
    "cred", "पास", "رمز", "پاس", "السري", *_MADE_UP_LATIN, *_MADE_UP_FOREIGN,
)  # fmt: skip
LOOSE = frozenset((  # so common in code and prose that only a random value is believed
    "key", "auth", "session", "sid", "pass", "pw", "pat", "pin", "seed", "salt", "signature", "sig",
    "login", "logon", "license", "licence", "webhook", "cookie", "llave", "chave", "chiave", "clé",
    "clave", "parola", "geheim", "sekret", "anahtar", "kunci", "khóa", "klucz", "nyckel", "sleutel",
    "bearer", "identifiants", "losung", "sandi", "pepper", "jwt",
    "nøgle", "nøkkel", "avain", "võti", "atslēga", "raktas", "kulcs", "cheie", "cheia", "kľúč",
    "ključ", "khoá", "parole", "lösen", "løsen", "šifra", "kata kunci", "ww",
))  # fmt: skip
# Parts of names that speak about a secret instead of being one.
KEYS = (
    "api", "secret", "access", "private", "auth", "license", "licence", "encryption", "signing",
    "master", "deploy", "service", "account", "shared", "admin", "server", "priv", "security",
    "consumer", "webhook", "host", "app", "sdk", "ingest", "insert", "personal", "subscription",
)  # fmt: skip
NO_KEYS = (
    "cache", "primary", "foreign", "sort", "public", "pub", "partition", "object",
    "i18n", "dictionary", "map", "row", "idempotency", "translation", "site", "publishable",
)  # fmt: skip
ABOUT = frozenset((
    "public", "pub", "publickey", "count", "length", "len", "max", "min", "limit", "ttl", "expire",
    "expires", "expiry", "expiration", "minutes", "seconds", "hours", "days", "timeout", "type",
    "hasher", "hashing", "backend",
    "hashers", "hash", "hashed", "policy", "field", "label", "placeholder", "hint", "regex",
    "pattern", "validator", "validators", "algorithm", "alg", "format", "size",
    "bits", "prefix", "name", "names", "ref", "arn", "version", "usage", "used", "tokens", "keys",
    "issuer", "audience", "scope", "scopes", "column", "index", "cache", "primary",
    "foreign", "sort", "partition", "idempotency", "dedupe", "row", "object",
    "storage_key", "i18n", "translation", "react", "test_id",
    "secure", "samesite", "publishable", "site", "budget",
    "required", "enabled", "existing",
    "reset", "rotation", "lifetime",
))  # fmt: skip
ABOUT_BEHIND = frozenset((  # a `passwordFile`, but a file's password
    "path", "file", "filename", "dir", "folder", "url", "uri", "endpoint", "host", "store",
    "manager", "provider", "identifier", "message", "error", "header", "domain", "output", "group",
))  # fmt: skip
# What Kubernetes' objects and the like are called after.
THINGS = frozenset(
    (
        "token",
        "secret",
        "secrets",
        "key",
        "keys",
        "credentials",
        "creds",
        "password",
        "tls",
        "cert",
        "config",
        "service",
        "auth",
        "api",
        "db",
    )
)
# What stands between a cue and a value that it announces.
CONNECTORS = frozenset((
    "is", "are", "was", "to", "as", "be", "being", "now", "still", "just", "like", "use", "with",
    "ist", "lautet", "heißt", "heisst", "wäre", "est", "sera", "devient", "es", "está", "será", "é",
    "fica", "è", "sarà", "to", "jest", "je", "är", "er", "on", "olan", "oldu", "şu", "là", "adalah",
    "var", "equals", "becomes", "reads", "says", "this", "here", "below", "following", "it", "its",
    "је", "это", "есть", "такой", "такая", "теперь", "будет", "стал", "це", "такий", "тепер",
    "هو", "هي", "היא", "הוא", "है", "हैं", "είναι", "和",
    "是", "为", "為", "成", "了", "は", "が", "を", "는",
    "은", "가", "이", "을", "를", "คือ", "and", "und", "et", "y", "e", "и", "і", "i", "/", "or",
    "este", "era", "fue", "war", "byl", "bylo", "yra", "ir", "sono", "е", "є", "است", "هی", "ni",
    "=", ":", "->", "=>", "→", "—", "–", "-", "：", "|", "from", "von", "de", "с", "со",
    "maintenant", "désormais", "dorénavant", "jetzt", "nun", "ahora", "agora", "ora", "adesso",
    "nu", "nå", "nyt", "teraz", "teď", "nyní", "acum", "şimdi", "artık", "sekarang", "giờ", "зараз",
    "сейчас", "الآن", "עכשיו", "अब", "τώρα", "currently", "para", "naar", "til", "till", "auf",
    "na",
    "contains", "holds", "enthält", "contient", "contiene", "contém", "zawiera", "bevat",
    "содержит", "містить", "包含",
    "на", "în", "la", "ke", "menjadi", "jadi", "thành", "a", "vers", "both", "brzmi",
))  # fmt: skip
# Where words stand without blanks between them.
UNSPACED_CONNECTORS = (
    "คือ", "เป็น", "是", "为", "為", "成", "は", "を", "が", "는", "은", "가",
)  # fmt: skip
POINTING = frozenset((  # `…, that's the password`
    "that's", "that", "this", "which", "das", "c'est", "es", "è", "é", "это", "це", "to", "dat",
    "it's", "thats", "esa", "esta",
))  # fmt: skip
AS = frozenset(("as", "als", "comme", "como", "come", "jako", "как", "як", "olarak"))
ABOUT_IDS = frozenset((  # what these announce has a UUID or a number that is no secret
    "session", "sid", "login", "logon", "cookie", "signature", "sig", "webhook", "license",
    "licence", "salt", "seed", "pass", "bearer",
))  # fmt: skip
# Words that say what the value behind them is, and that it is no secret.
HARMLESS_BEFORE = frozenset((
    "commit", "sha", "sha1", "sha256", "sha512", "hash", "digest", "checksum", "md5", "uuid",
    "request", "trace", "span", "version", "tx", "transaction", "block", "image", "layer", "object",
    "tree", "rev", "revision", "fingerprint", "etag", "merge", "pick", "cherry-pick", "revert",
    "tag", "branch", "issue", "ticket", "release", "build", "job", "pod", "container", "model",
    "file", "path", "cursor", "nonce", "public", "pubkey", "publickey", "port", "error",
    "line", "page", "row", "integrity", "resolved", "narhash", "cid", "address",
    "cache", "boundary", "fixup", "rfc", "h1", "content", "sitekey", "checksums", "clid",
    "kid", "thumbprint",
))  # fmt: skip
# Cues that announce what stands in front of them: "… is our password", "… as the token".
BEHIND = (
    r"(?:[\"'`*)\]」）]{0,3},?\s{0,2}"
    r"(?:(?:[-=]{1,2}>|[→⇒←⇐–—#]|<[-=]{1,2}|--?|//|(?<=\s)\()\s{0,2})?"
    r"(?:[^\s,;.:\"=(){}\[\]/|<>0-9\x1a]{1,14}\s{1,2}){0,5})"
)
