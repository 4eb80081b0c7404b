// Filters, numbers, states and conflicts with the client of oapi-codegen. Arguments: the URL, an API key.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"sort"
	"strings"
	"time"

	larder "example.test/larder/client"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func must[T any](value T, err error) T {
	check(err)
	return value
}

func require(holds bool, answer any) {
	if !holds {
		panic(fmt.Sprintf("%+v", answer))
	}
}

func pointer[T any](value T) *T { return &value }

func main() {
	ctx := context.Background()
	authenticate := func(_ context.Context, request *http.Request) error {
		request.Header.Set("authorization", "Bearer "+os.Args[2])
		return nil
	}
	client := must(larder.NewClientWithResponses(os.Args[1], larder.WithRequestEditorFn(authenticate)))

	var teacherBody larder.CreateDataTeacherJSONRequestBody
	check(teacherBody.FromNewDataTeacherRow(larder.NewDataTeacherRow{Name: "Go"}))
	teacher := must(must(client.CreateDataTeacherWithResponse(ctx, nil, teacherBody)).JSON201.AsDataTeacherRow()).Id
	var courseBody larder.CreateDataCourseJSONRequestBody
	newCourse := larder.NewDataCourseRow{Title: "Go", Teacher: &teacher}
	check(courseBody.FromNewDataCourseRow(newCourse))
	course := must(must(client.CreateDataCourseWithResponse(ctx, nil, courseBody)).JSON201.AsDataCourseRow()).Id
	var lessonBody larder.CreateDataLessonJSONRequestBody
	newLesson := larder.NewDataLessonRow{Name: "Go", Course: course, Seats: pointer(2)}
	check(lessonBody.FromNewDataLessonRow(newLesson))
	lesson := must(must(client.CreateDataLessonWithResponse(ctx, nil, lessonBody)).JSON201.AsDataLessonRow()).Id
	var topicBody larder.CreateDataTopicJSONRequestBody
	check(topicBody.FromNewDataTopicRow(larder.NewDataTopicRow{Name: "Go"}))
	topic := must(must(client.CreateDataTopicWithResponse(ctx, nil, topicBody)).JSON201.AsDataTopicRow()).Id

	book := func(row larder.NewDataBookingRow) *larder.CreateDataBookingResponse {
		var body larder.CreateDataBookingJSONRequestBody
		check(body.FromNewDataBookingRow(row))
		return must(client.CreateDataBookingWithResponse(ctx, nil, body))
	}
	booked := func(row larder.NewDataBookingRow) larder.DataBookingRow {
		answer := book(row)
		require(answer.JSON201 != nil, string(answer.Body))
		return must(answer.JSON201.AsDataBookingRow())
	}
	at := func(hour int) *time.Time { return pointer(time.Date(2027, 1, 1, hour, 0, 0, 0, time.UTC)) }

	first := booked(larder.NewDataBookingRow{Title: "Go one", Lesson: &lesson, Topics: &[]string{topic}})
	second := booked(larder.NewDataBookingRow{Title: "Go two", Lesson: &lesson})
	period := larder.NewDataBookingRow{Title: "Go three", Room: pointer("Go"), StartsAt: at(9), EndsAt: at(11), Price: pointer(4900)}
	third := booked(period)
	var numbers [2]int
	must(fmt.Sscanf(first.Number+" "+second.Number, "B-%d B-%d", &numbers[0], &numbers[1]))
	require(numbers[1] == numbers[0]+1, numbers)
	require(*first.Code == "GO " || *first.Code == "GO", *first.Code)
	require(string(*first.Status) == "open" && first.BookedAt != nil, first)

	full := book(larder.NewDataBookingRow{Title: "Go full", Lesson: &lesson})
	require(full.ApplicationproblemJSON409 != nil, string(full.Body))
	capacity := must(full.ApplicationproblemJSON409.AsCapacityReachedProblem())
	require(capacity.Code == "capacity_reached" && capacity.Errors[0].Pointer == "/lesson", capacity)
	period.Title = "Go taken"
	taken := must(book(period).ApplicationproblemJSON409.AsPeriodTakenProblem())
	require(taken.Code == "period_taken" && taken.Rows[0] == third.Id, taken)

	change := func(status larder.ChangedDataBookingRowStatus) *larder.UpdateDataBookingResponse {
		return must(client.UpdateDataBookingWithResponse(ctx, first.Id, nil, larder.ChangedDataBookingRow{Status: &status}))
	}
	refused := must(change("done").ApplicationproblemJSON409.AsTransitionRefusedProblem())
	require(refused.Code == "transition_refused" && refused.Allowed["status"][0] == "confirmed", refused)
	require(string(*change("confirmed").JSON200.Status) == "confirmed", first)

	titles := func(params larder.ListDataBookingsParams) string {
		list := must(client.ListDataBookingsWithResponse(ctx, &params))
		require(list.JSON200 != nil, string(list.Body))
		var found []string
		for _, row := range list.JSON200.Data {
			found = append(found, row.Title)
		}
		sort.Strings(found)
		return strings.Join(found, ", ")
	}
	name := "Go"
	found := titles(larder.ListDataBookingsParams{FilterLessonCourseTeacherName: &name})
	require(found == "Go one, Go two", found)
	found = titles(larder.ListDataBookingsParams{Or0Title: &second.Title, Or1Price: pointer(4900), FilterTitleStartsWith: &name})
	require(found == "Go three, Go two", found)
	found = titles(larder.ListDataBookingsParams{Or0LessonCourseTitle: &name, Or1Room: &name})
	require(found == "Go one, Go three, Go two", found)
	confirmed := larder.ListDataBookingsParamsFilterNotStatusConfirmed
	found = titles(larder.ListDataBookingsParams{FilterNotStatus: &confirmed, FilterLessonCourseTeacherName: &name})
	require(found == "Go two", found)
	found = titles(larder.ListDataBookingsParams{FilterTopicsContains: &topic})
	require(found == "Go one", found)

	visitors := must(larder.NewClientWithResponses(os.Args[1]))
	var enquiry larder.CreateDataEnquiryJSONRequestBody
	newEnquiry := larder.NewDataEnquiryRow{Subject: "Go"}
	check(enquiry.FromNewDataEnquiryRow(newEnquiry))
	made := must(visitors.CreateDataEnquiryWithResponse(ctx, nil, enquiry))
	require(made.JSON201 != nil, string(made.Body))
	id := must(made.JSON201.AsCreatedByVisitor())
	require(strings.HasPrefix(id.Id, "enq"), id)
}
