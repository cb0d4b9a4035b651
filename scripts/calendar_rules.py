"""The rules by which scripts/compare-calendars tells why our calendar differs from a library. The first that fits is the reason."""

HALF = "Rule 501 of HKEX: the eves of Christmas, New Year and Lunar New Year are half days"
LATE = "HKEX news release of that day: trading began in the afternoon after a storm (exchange_calendars issue 142)"
OLD = "HKEX news release of 24 January 2011: until 4 March 2011 trading was 10:00–12:30 and 14:30–16:00"
SECOND = "HKEX news releases of 24 January 2011 and 1 March 2012: 09:30–12:00 and 13:30–16:00 from 7 March 2011 to 2 March 2012"
LATE_DAYS = ("2008-06-25", "2020-08-19", "2021-06-28", "2023-10-09")
MOURNING = ("2004-06-11", "2007-01-02", "2018-12-05", "2025-01-09")
FOLLOWED = "two libraries disagree; ours follows Lean's hours database from 2022 on; *not verified*"


def hong_kong(library, date, what, ours, theirs):
    if date in LATE_DAYS:
        return LATE
    if date in ("2023-09-01", "2023-09-08"):
        return "closed for super typhoon Saola and for the black rainstorm (HKEX notices, exchange_calendars issue 600)"
    if what == "day" and ours == "closed":
        if date == "2021-04-06":
            return "general holiday: Ching Ming fell on Easter Sunday, so Tuesday was kept"
        return "closed for a typhoon; exchange_calendars has it too"
    if ours in ("12:30", "none") and date < "2011-03-07":
        return HALF + "; Lunar New Year's Eve before 2013 by rule, *not verified*" if library == "exchange_calendars" else HALF
    if ours in ("12:00", "none"):
        return HALF
    return OLD if date < "2011-03-07" else SECOND if date < "2012-03-05" else None


def new_york(library, date, what, ours, theirs):
    if date == "2002-09-11":
        return "the anniversary: pandas_market_calendars has noon, exchange_calendars the usual opening; *not verified*"
    if what == "open" and theirs in ("09:31", "09:32", "09:33"):
        return "minutes of silence at the bell; the session is the usual one, as in exchange_calendars"
    if date == "2005-06-01":
        return "an outage of the NYSE alone in the last four minutes; the session is the usual one, as in exchange_calendars"
    return None


def chicago(calendar, library, date, what, ours, theirs):
    globex = library == "exchange_calendars"
    if date in MOURNING:
        if calendar == "XCME":
            return "mourning for a president: the stock exchanges closed, Globex equity futures traded until 08:30 (CME notice); 2018 *not verified*"
        return "mourning for a president: the stock exchanges closed, Treasury futures kept their hours; *not verified*"
    if globex and what == "close" and theirs == "17:00" and ours == "16:00":
        return "Globex stops at 16:00 for the daily maintenance since 21 September 2015; CMES ends its day where the next begins"
    if globex and what == "break":
        return "equity futures paused 15:15–15:30 until 27 June 2021; *not verified*"
    if what == "day" and ours == "open" and theirs == "closed":
        return "Good Friday with an employment report: Globex opens until the early close (CAL-10)"
    if what == "day" and date[:4] in ("2024", "2025", "2027"):
        return "Good Friday without an employment report: closed, as in exchange_calendars; *not verified*"
    if what == "day":
        return "Good Friday of 2007, one source; *not verified*, and no hours are told for that year"
    if calendar == "XCME" and ours == "12:15":
        return "CME and Lean: 12:15 on the days before Independence Day and Christmas and after Thanksgiving; 12:00 is for holidays"
    if ours == "12:00" and theirs in ("17:00", "16:00"):
        return "Juneteenth since 2022: early close as on other holidays (CME, Lean)"
    if calendar in ("XNYM", "XCEC"):
        return FOLLOWED
    if calendar == "XCBT" and ours == "10:15":
        return "Good Friday with an employment report, one source; *not verified*"
    return None


def rule(calendar, library, date, what, ours, theirs):
    if calendar in ("XHKG", "XHKF"):
        return hong_kong(library, date, what, ours, theirs)
    if calendar == "XNYS":
        return new_york(library, date, what, ours, theirs)
    return chicago(calendar, library, date, what, ours, theirs)
