import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.openfeature.contrib.providers.ofrep.OfrepProvider;
import dev.openfeature.contrib.providers.ofrep.OfrepProviderOptions;
import dev.openfeature.sdk.FlagEvaluationDetails;
import dev.openfeature.sdk.ImmutableContext;
import dev.openfeature.sdk.OpenFeatureAPI;
import dev.openfeature.sdk.Value;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Evaluates flags with OpenFeature. Arguments: the base URL, a token. */
public class Ofrep {
  public static void main(String[] arguments) throws Exception {
    var headers = ImmutableMap.of("Authorization", ImmutableList.of("Bearer " + arguments[1]));
    var options = OfrepProviderOptions.builder().baseUrl(arguments[0]).headers(headers).build();
    var api = OpenFeatureAPI.getInstance();
    api.setProviderAndWait(OfrepProvider.constructProvider(options));
    var client = api.getClient();
    var results = new ArrayList<List<Object>>();
    for (var country : List.of("DE", "FR")) {
      var context = new ImmutableContext("user-7", Map.of("country", new Value(country)));
      var layout = client.getObjectDetails("layout", new Value(), context);
      for (FlagEvaluationDetails<?> details :
          List.of(
              client.getBooleanDetails("plain", false, context),
              client.getBooleanDetails("off", false, context),
              client.getStringDetails("theme", "none", context),
              client.getDoubleDetails("share", -1.0, context),
              client.getIntegerDetails("count", -1, context)))
        results.add(Arrays.asList(details.getFlagKey(), details.getValue(), details.getVariant()));
      results.add(Arrays.asList("layout", layout.getValue().asStructure().asObjectMap(), layout.getVariant()));
      var missing = client.getBooleanDetails("missing", false, context);
      results.add(Arrays.asList("missing", missing.getValue(), missing.getVariant()));
    }
    System.out.println(new ObjectMapper().writeValueAsString(results));
    System.exit(0);
  }
}
