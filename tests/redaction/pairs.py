"""Secrets between `⟦…⟧`, each with its benign twin, by the mechanism that tells them apart."""

HTTPS = "https:" + "//"
HEX32, HEX64 = "7c50b5b7396e1d5a60f06254934d8019", "5eacff75a61bc5cc82ee1401e900a2ed" * 2
HEX40, UUID = "a325d1f4cc64eaf4d682d4397b7ec40e679f97a4", "636ccc4b-c005-40b9-ad7b-d163627de76c"
BYTES = "40, 86, 109, 102, 107, 151, 207, 69, 155, 73, 1, 156, 24, 221, 33, 105"
WORDS = "museum mammal engine upset apple object canoe noble saddle obscure comfort lemon"

PAIRS = {
    "a key in numbers": (f"uint8_t aes_key[16] = {{⟦{BYTES}⟧}};", f"int public_key = {{{BYTES}}}"),
    "a key file in numbers": (f"$ cat id.json\n[⟦{BYTES}⟧]", f"key counts: [{BYTES}]"),
    "a second option of one letter": (
        "snmpget -v3 -u m -a SHA -A ⟦401hOwOM_6oQ⟧ -x AES -X ⟦MBQ27Sc05J66L4Sm⟧ 10.0.0.1",
        "snmpget -v3 -u m -l noAuthNoPriv -a SHA -x AES 10.0.0.1",
    ),
    "a turn that is nothing but the answer": (
        f"User: the job needs API_TOKEN\nBot: Please give me the value.\nUser: ⟦{HEX40}⟧\nBot: ok",
        f"User: which commit broke the token refresh?\nBot: {HEX40}",
    ),
    "noise with a dot": (
        "param proxyPass string = '⟦bveSNU.Wx7U⟧'",
        "proxyPass = specs.PublicKeyDetails",
    ),
    "a name that begins with an id's prefix": (
        "Гасло для архіву — ⟦Step_kalyna6300⟧, розпакуй",
        "гасло для архіву — step_kalyna6300",
    ),
    "an id of credentials": (
        "credentials: '⟦Nexus-deployer77!⟧'",
        "credentialsId: 'nexus-deployer2'",
    ),
    "a tool's login": (f"!wandb login ⟦{HEX40}⟧\n", f"fix login {HEX40}\n"),
    "a user and a key": (
        "b2 account authorize ann ⟦K003Fcv2nXgI2AE1K4/WI36frcGU92x⟧",
        "b2 account authorize",
    ),
    "an uploader's option": (f"bash <(curl -s codecov.io/bash) -t ⟦{UUID}⟧", f"build -t {UUID}"),
    "a maker's file": (f'{{\n\t"api": "⟦{UUID}⟧"\n}}', f'{{\n\t"apiVersion": "{UUID}"\n}}'),
    "a key that routes": (f"routing_key: ⟦{HEX32}⟧", "routing_key: orders.created.v2"),
    "a file that contains": (
        f"config/master.key contains\n\n⟦{HEX32}⟧\n\nand still",
        f"config/master.key is fine\n\ncommit {HEX32}\n\nand still",
    ),
    "a salt with every sign": (
        "define( 'AUTH_KEY',  '⟦/TaCj9Ed mnu;fIsdJr&,H>ML;~Y#(xp3J@;!uH9|wa}*cO5⟧' );",
        "define( 'AUTH_KEY',  'put your unique phrase here' );",
    ),
    "a passphrase in quotes": (
        'The passphrase is "⟦jasper fjord quartz reef iris⟧" (without the quotes)',
        'The passphrase is "not set in the config file" (in the logs)',
    ),
    "words that are assigned": (
        'RESTIC_PASSWORD = "⟦onyx juniper maple thistle cedar⟧";',
        "PASSWORD = 'enter your new password here';",
    ),
    "numbered words": (
        "Backup of the Ledger (24 words):\n1. ⟦"
        + "\n".join(f"{at}. {word}" for at, word in enumerate(WORDS.split(), 1))[3:]
        + "⟧\n",
        "seed the list:\n1. apple\n2. pear\n3. plum\n4. fig\n",
    ),
    "two columns": ("username    ann\npassword    ⟦U;vM]Pkzh)G4^Rdgc⟧\n", "secret      5d3h42m\n"),
    "a label above": ("User\nann\nPassword\n⟦UNF8T9MS5=pPLm⟧\nURL\n", "Password\nrequired\nURL\n"),
    "any sign to the end of the line": (
        "Generated password: ⟦kX9;vQ2(mLp⟧\n",
        "password: user?.currentPassword2;\n",
    ),
    "said at the end of the line": (
        "A temporary password is generated for root@localhost: ⟦kX9;vQ2(mLp⟧",
        "A temporary password is generated for root@localhost: see mysqld.log",
    ),
    "a block's result": (
        '~ resource "random_password" "db" {\n  ~ result = "⟦nDW3NvUwOt3RbVUAHvLr⟧"\n}',
        'resource "random_password" "db" {\n  length  = 20\n}',
    ),
    "a value beside its name": (
        "put-parameter --name /prod/db/password --value '⟦1SXjIF;45;rN}Mf⟧' --overwrite",
        "put-parameter --name /prod/db/region --value 'eu-central-1' --overwrite",
    ),
    "a client's arguments": (
        f"algoliasearch('RM2KRKH6L5', '⟦{HEX32}⟧')",
        f"expect(session('ann')).toBe('{HEX32}')",
    ),
    "a login's arguments": (
        "database('dwh','reader','⟦Sven-0246*⟧','Vendor','PostgreSQL','erp.svc.local')",
        "database('dwh','reader','Vendor','PostgreSQL','erp.svc.local')",
    ),
    "a key in an address": (
        HTTPS + f"mainnet.example.com/v3/⟦{HEX32}⟧",
        HTTPS + f"example.com/v3/items/{HEX32}",
    ),
    "a key in a query": (
        f"/data/2.5/weather?q=Lisboa&appid=⟦{HEX32}⟧&units=metric",
        HTTPS + f"example.com/watch?v=yVLDmsj72EN&list=PLrA1PUvHmGKvULPTi4rOm4SwEuY6&h={HEX32}",
    ),
    "a link that was mailed": (
        HTTPS + f"shop.example.com/password/reset/⟦{HEX64}⟧?email=a",
        HTTPS + f"shop.example.com/orders/list/{HEX64}?page=2",
    ),
    "a mail account's password": (
        "[smtp.example.com]:587 relay@example.com:⟦t9qd0j1XQPP9iXLmg7⟧\n",
        "scp a.tar.gz ann@host.example.com:backup2\n",
    ),
    "a login without a scheme": (
        "register => 12478909:⟦aDnt4rD63fooKe⟧@sip.example.net",
        "mailto:ann@example.net",
    ),
    "a network's picture": (
        "WIFI:T:WPA;S:Acme Guest;P:⟦EngineHammerLadder82⟧;H:false;;",
        "WIFI:S:Acme Guest;T:nopass;;",
    ),
    "an anchor in front": ('pass: &dbpass "⟦LampostTrumpetKettle17⟧"\n', "DB_PASS: *dbpass\n"),
    "typed by a script": ("^!p::Send, ⟦Spring4449?⟧{Enter}", "^!p::Send, {Up 3}{Enter}"),
    "a password in Cyrillic": (
        "используй пароль «⟦Береза-2146⟧».",
        "используй пароль «из хранилища».",
    ),
    "a password in Thai": (
        "รหัสผ่านของเซิร์ฟเวอร์คือ ⟦Larisa.849595*⟧ ช่วยเข้าไปดู",
        "รหัสผ่านของเซิร์ฟเวอร์คือ required ช่วยเข้าไปดู",
    ),
    "said behind a comma": (
        "just give it ⟦Nadia_1235*⟧, that's the password for my user",
        "we moved to Postgres_16, the password stays",
    ),
    "a product's key": (
        "It wants the activation key. It's below.\n\n⟦Z9020-7AIRO-XZ20T-X45RO-SYNSF⟧",
        "the activation is in ISO-8601-2004 format",
    ),
    "a number by what it is for": (
        "Le code de vérification reçu par SMS est ⟦295172⟧, entre-le",
        "the error code is 40301",
    ),
    "a number that is yours": ("⟦493021⟧ is your sign-in code", "5432 is your database port"),
    "a checksum of a secret": (
        f"secret: ⟦{HEX32}⟧",
        f"SHA512 (secret-tool.tar.gz) = {HEX64}{HEX64}\nchecksum/secret: {HEX64}",
    ),
    "a cache's key with words": (
        f"restored from key: ⟦{HEX64}⟧",
        f"Cache restored from key: linux-npm-{HEX64}",
    ),
    "the name behind a value": (
        "API_KEY=⟦Xk3v9Qm2Lp7Rt5Wz8⟧ BASE=appObmhjnqwFsY2k node sync.mjs",
        "BASE=appObmhjnqwFsY2k node sync.mjs",
    ),
    "a call in another language": (
        'let secret = "⟦Xk3v9Qm2Lp7Rt5⟧";',
        'let secret = env::var("JWT_SECRET2").expect("JWT_SECRET2 not set");',
    ),
    "a server's list of secrets": ('ann : EAP "⟦Xk3v9Qm2⟧"\n', 'ann : EAP "eap-tls"\n'),
    "a card's number": ("visa, CVV ⟦123⟧", "the CVV field has 3 digits"),
    "a user whom everybody has": ("admin:⟦tulipLake88⟧ works", "root:x:0:0:root:/:/bin/bash"),
    "an account by its languages": (
        "Login ist ann mit ⟦tulipLake88⟧",
        "Login mit OAuth2 und PKCE",
    ),
    "asked without a question mark": (
        "bob: what's the wifi password\nann: ⟦tulipLake88⟧",
        "bob: what's the token limit\nann: 200k",
    ),
    "asked and answered by one": ("the password? ⟦tulipLake88⟧", "the password? see Bitwarden"),
    "a user and a password": ("id/pw = ⟦ann/tulipLake88⟧", "id/pw = see the wiki"),
    "braces in braces": ("PWD={⟦a;b}C9dE⟧};Encrypt=yes", "PWD={pwd};Encrypt=yes"),
    "an app's password": (
        "altool --upload-app -u a@example.com -p ⟦abcd-efgh-ijkl-mnop⟧",
        "altool --upload-app -u a@example.com -p @keychain:altool",
    ),
    "a file that is printed": ("$ cat .vault_pass\n⟦tulipLake88⟧", "$ cat .vault_pass\nnot found"),
    "a console's answer": (
        f'irb> credentials.secret_key_base\n=> "⟦{HEX64}⟧"',
        "irb> credentials.secret_key_base\n=> nil",
    ),
    "a table of one column": (
        "+----------+\n| password |\n+----------+\n| ⟦tulipLake88⟧ |\n+----------+",
        "+----------+\n| username |\n+----------+\n| tulipLake88 |\n+----------+",
    ),
    "a manager of passwords": ("password: ⟦Walnut2024⟧", "password manager Bitwarden2024 is fine"),
    "names that are compared": ('token = "⟦Xk3v9Qm2Lp7⟧"', "assert body.token == expected2"),
    "a name that is defined": (
        "token ⟦Xk3v9Qm2Lp7Rt5Wz8⟧",
        "def test_NormalQMCInvTransformHTTP2XyQ(self):",
    ),
    "the next line of a mail": (
        "> the new token is\n> ⟦q7Zx9fK2mVb8Lw3Rt6Yp1Hs4⟧\n> Regards",
        "> the new token is\n> in the vault\n> Regards",
    ),
}  # fmt: skip
