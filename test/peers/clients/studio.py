"""Filters, numbers, states and conflicts with the client of openapi-python-client. Arguments: the URL, an API key."""

import datetime
import sys

from larder_studio_client import AuthenticatedClient, Client
from larder_studio_client.api.data import (
    create_data_booking,
    create_data_course,
    create_data_enquiry,
    create_data_lesson,
    create_data_teacher,
    create_data_topic,
    list_data_bookings,
    update_data_booking,
)
from larder_studio_client.models import (
    CapacityReachedProblem,
    ChangedDataBookingRow,
    ChangedDataBookingRowStatus,
    CreatedByVisitor,
    ListDataBookingsFilternotstatus,
    NewDataBookingRow,
    NewDataCourseRow,
    NewDataEnquiryRow,
    NewDataLessonRow,
    NewDataTeacherRow,
    NewDataTopicRow,
    PeriodTakenProblem,
    TransitionRefusedProblem,
)

url, key = sys.argv[1:]
client = AuthenticatedClient(base_url=url, token=key)

teacher = create_data_teacher.sync(client=client, body=NewDataTeacherRow(name="Python"))
course = create_data_course.sync(client=client, body=NewDataCourseRow(title="Python", teacher=teacher.id))
lesson = create_data_lesson.sync(client=client, body=NewDataLessonRow(name="Python", course=course.id, seats=2))
topic = create_data_topic.sync(client=client, body=NewDataTopicRow(name="Python"))


def book(title, **values):
    return create_data_booking.sync(client=client, body=NewDataBookingRow(title=title, **values))


def at(hour):
    return datetime.datetime(2027, 1, 1, hour, tzinfo=datetime.timezone.utc)


first = book("Python one", lesson=lesson.id, topics=[topic.id])
second = book("Python two", lesson=lesson.id)
third = book("Python three", room="Python", starts_at=at(9), ends_at=at(11), price=4900)
assert int(second.number[2:]) == int(first.number[2:]) + 1, (first.number, second.number)
assert (first.code, first.status.value) == ("PYT", "open") and first.booked_at, first

full = book("Python full", lesson=lesson.id)
assert isinstance(full, CapacityReachedProblem), full
assert [(error.pointer, error.code) for error in full.errors] == [("/lesson", "full")]
taken = book("Python taken", room="Python", starts_at=at(10), ends_at=at(12))
assert isinstance(taken, PeriodTakenProblem) and taken.rows == [third.id], taken


def change(status):
    body = ChangedDataBookingRow(status=ChangedDataBookingRowStatus(status))
    return update_data_booking.sync(first.id, client=client, body=body)


refused = change("done")
assert isinstance(refused, TransitionRefusedProblem), refused
assert refused.allowed["status"] == ["confirmed"], refused.allowed
assert change("confirmed").status.value == "confirmed"


def titles(**filters):
    return sorted(row.title for row in list_data_bookings.sync(client=client, **filters).data)


of_teacher = {"filterlesson_course_teacher_name": "Python"}
assert titles(**of_teacher) == ["Python one", "Python two"]
assert titles(or0title="Python two", or1price=4900, filtertitlestarts_with="Python") == ["Python three", "Python two"]
assert titles(or0lesson_course_title="Python", or1room="Python") == ["Python one", "Python three", "Python two"]
confirmed = ListDataBookingsFilternotstatus("confirmed")
assert titles(filternotstatus=confirmed, **of_teacher) == ["Python two"]
assert titles(filtertopicscontains=topic.id) == ["Python one"]

visitor = create_data_enquiry.sync(client=Client(base_url=url), body=NewDataEnquiryRow(subject="Python"))
assert isinstance(visitor, CreatedByVisitor) and visitor.id.startswith("enq"), visitor
