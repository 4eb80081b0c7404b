// Ten calls with the client that oapi-codegen generates. Arguments: the URL of the server, an API key.
package main

import (
	"bytes"
	"context"
	"fmt"
	"mime/multipart"
	"net/http"
	"os"

	larder "example.test/larder/client"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func require(holds bool, answer []byte) {
	if !holds {
		panic(string(answer))
	}
}

func main() {
	ctx := context.Background()
	authenticate := func(_ context.Context, request *http.Request) error {
		request.Header.Set("authorization", "Bearer "+os.Args[2])
		return nil
	}
	client, err := larder.NewClientWithResponses(os.Args[1], larder.WithRequestEditorFn(authenticate))
	check(err)

	me, err := client.GetMeWithResponse(ctx, nil)
	check(err)
	require(me.JSON200 != nil, me.Body)
	created, err := client.CreateSessionWithResponse(ctx, nil, larder.CreateSessionInput{Mode: "screenshare"})
	check(err)
	require(created.JSON201 != nil, created.Body)
	session, err := client.GetSessionWithResponse(ctx, created.JSON201.Id, nil)
	check(err)
	require(session.JSON200 != nil && session.JSON200.Code == created.JSON201.Code, session.Body)
	list, err := client.ListSessionsWithResponse(ctx, nil)
	check(err)
	require(list.JSON200 != nil && len(list.JSON200.Data) > 0, list.Body)
	joined, err := client.JoinSessionWithResponse(ctx, nil, larder.JoinSessionInput{JoinToken: created.JSON201.JoinToken})
	check(err)
	require(joined.JSON200 != nil && joined.JSON200.Id == created.JSON201.Id, joined.Body)
	wrong := created.JSON201.JoinToken[:len(created.JSON201.JoinToken)-4] + "0000"
	refused, err := client.JoinSessionWithResponse(ctx, nil, larder.JoinSessionInput{JoinToken: wrong})
	check(err)
	require(refused.ApplicationproblemJSON401 != nil, refused.Body)
	require(refused.ApplicationproblemJSON401.Code == "invalid_join_token", refused.Body)

	page, err := client.CreatePageWithResponse(ctx, nil, larder.CreatePageInput{Slug: "go", Title: "Go"})
	check(err)
	require(page.JSON201 != nil, page.Body)
	old := larder.IfMatch(`"0"`)
	title := "Gopher"
	params := larder.UpdatePageParams{IfMatch: &old}
	stale, err := client.UpdatePageWithResponse(ctx, page.JSON201.Id, &params, larder.UpdatePageInput{Title: &title})
	check(err)
	require(stale.ApplicationproblemJSON412 != nil, stale.Body)
	invalid, err := client.CreatePageWithResponse(ctx, nil, larder.CreatePageInput{Slug: "Not a slug", Title: "Go"})
	check(err)
	require(invalid.ApplicationproblemJSON422 != nil, invalid.Body)
	problem, err := invalid.ApplicationproblemJSON422.AsValidationFailedProblem()
	check(err)
	require(problem.Errors != nil && (*problem.Errors)[0].Pointer == "/slug", invalid.Body)

	var form bytes.Buffer
	writer := multipart.NewWriter(&form)
	part, err := writer.CreateFormFile("file", "a.pdf")
	check(err)
	_, err = part.Write([]byte("%PDF-1.4\n%%EOF\n"))
	check(err)
	check(writer.Close())
	item, err := client.UploadMediaItemWithBodyWithResponse(ctx, nil, writer.FormDataContentType(), &form)
	check(err)
	require(item.JSON201 != nil || item.JSON202 != nil, item.Body)
	fmt.Println("done")
}
