"""A corrected statement never outlives its correction, and nothing else is taken away."""

import pytest

from compact_guard.hook import superseding
from compact_guard.hook.items import Item

REPLACED = [
    ("We use yarn for installs.", "Use pnpm instead of yarn for installs."),
    ("The rate limit is 100 per minute.", "The rate limit is 250 per minute."),
    ("Keep sessions in Redis.", "No more Redis for sessions, keep them in Postgres."),
    ("The staging host is stage-2.example.com.", "The staging host is now stage-5.example.com."),
    ("Colors follow the dark theme.", "Forget the dark theme, colors follow the brand guide."),
    ("Ship the beta on May 4.", "Actually ship the beta on June 1."),
    ("Logs go to Splunk.", "Logs go to Loki rather than Splunk."),
    ("Port 8080 for the proxy.", "Change of plan: port 9090 for the proxy."),
    ("Use tabs in the templates.", "Don't use tabs in the templates, two spaces."),
    ("The queue is called jobs-main.", "Rename: the queue is called jobs-primary."),
    ("Max 3 retries on uploads.", "Max 5 retries on uploads."),
    ("Порт для прокси 8080.", "Порт для прокси теперь 9090."),
    ("Сессии держим в Redis.", "Сессии больше не в Redis, держим их в Postgres."),
    ("Логи пишем в Splunk.", "Логи пишем в Loki вместо Splunk."),
    ("Файлы лежат на старом диске.", "Забудь про старый диск, файлы в облаке."),
    ("Лимит запросов 100 в минуту.", "Лимит запросов 250 в минуту."),
    ("代理端口是 8080。", "代理端口现在是 9090。"),
    ("会话存在 Redis 里。", "会话不再存 Redis，改用 Postgres。"),
    ("日志写到 Splunk。", "日志写到 Loki，不是 Splunk。"),
    ("界面用深色主题。", "深色主题不用了，界面按品牌规范来。"),
    ("上传最多重试 3 次。", "上传最多重试 5 次。"),
]
BOTH_HOLD = [
    ("The rate limit is 100 per minute.", "The page limit is 250 rows."),
    ("Use DuckDB, never SQLite.", "The SQLite dump lies in data/dump.sql."),
    ("Tests may not use the network.", "The tests need Python 3.12."),
    ("Billing runs on the first of the month in UTC.", "Reports run on the second in UTC."),
    ("Let's go with Postgres, Kafka is too much.", "No Kafka for mail, RabbitMQ does it."),
    ("The orders service listens on port 8080.", "The mailer service listens on port 9090."),
    ("We keep audit logs for 90 days.", "We keep backups for 30 days."),
    ("Не трогай vendor/.", "Не трогай docs/api.md."),
    ("Сервис заказов слушает порт 8080.", "Сервис почты слушает порт 9090."),
    ("订单服务监听 8080 端口。", "邮件服务监听 9090 端口。"),
    ("测试不能访问网络。", "测试要用 Python 3.12。"),
]


def said(*texts: str, speaker: str = "user") -> list[Item]:
    return [
        Item("constraints", 3.0, text, speaker=speaker, at=None, offset=number)
        for number, text in enumerate(texts)
    ]


def left(items: list[Item]) -> list[str]:
    return [item.text for item in superseding.still_valid(items)]


@pytest.mark.parametrize(("earlier", "later"), REPLACED)
def test_a_correction_takes_the_place_of_what_it_corrects(earlier, later):
    assert left(said(earlier, later)) == [later]


@pytest.mark.parametrize(("earlier", "later"), BOTH_HOLD)
def test_statements_of_different_things_both_hold(earlier, later):
    assert left(said(earlier, later)) == [earlier, later]


def test_the_model_takes_nothing_away():
    mine = said("Use SQLite for the job history.")
    quoted = said("Use DuckDB instead of SQLite for the job history.", speaker="assistant")

    assert left(mine + quoted) == [mine[0].text, quoted[0].text]


def test_what_the_model_said_of_it_goes_too():
    answered = said("I will use SQLite for the job history.", speaker="assistant")
    mine = said("No, use DuckDB instead of SQLite for the job history.")

    assert left(answered + mine) == [mine[0].text]


def test_a_question_takes_nothing_away():
    assert len(left(said("The rate limit is 100.", "Should the rate limit be 250?"))) == 2


def test_of_one_statement_in_two_wordings_the_newer_stays():
    assert left(said("Never push to main!", "never push to main")) == ["never push to main"]


def test_what_takes_the_place_of_a_rule_is_one_however_it_is_worded():
    rule = Item(
        "corrections", 4.0, "The nightly job starts at 2 am.", speaker="user", at=None, offset=0
    )
    asked = Item("recent", 0.5, "Push the nightly job to 4 am.", speaker="user", at=None, offset=1)

    (kept,) = superseding.still_valid([rule, asked])

    assert (kept.text, kept.rank, kept.score) == (asked.text, "corrections", 4.0)


def test_two_bans_add_up_and_a_fact_lifts_none():
    bans = ("Don't touch vendor/lib.", "Don't touch docs/lib.", "vendor/lib has no tests now.")

    assert left(said(*bans)) == list(bans)


def test_a_ban_on_a_verb_is_no_refutation_of_what_it_names():
    texts = (
        "The database user reads two schemas.",
        "Do not rename database columns, BI reads them.",
    )

    assert left(said(*texts)) == list(texts)


@pytest.mark.parametrize(
    ("rule", "news"),
    [
        ("The nightly import of orders starts at 2 am.", "The nightly import of orders is broken."),
        ("The importer loads CSV files.", "The importer was slow for CSV files."),
        ("Импорт заказов запускается ночью.", "Импорт заказов постоянно падает."),
        ("夜间导入在 2 点开始。", "夜间导入老是失败。"),
    ],
)
def test_news_of_a_thing_takes_no_rule_about_it_back(rule, news):
    assert left(said(rule, news)) == [rule, news]


def test_thousands_of_statements_on_one_subject_take_linear_time():
    items = said(*(f"The limit of service {n} is {n} rows." for n in range(3_000)))

    assert len(left(items)) > 0
