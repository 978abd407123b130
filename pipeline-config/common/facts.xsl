<?xml version="1.0" encoding="UTF-8"?>
<!--
  Drafts to facts, for stylesheets of large documents. A stylesheet makes drafts in the mode `drafts`, which write them
  where they belong, so that no tree of them is copied. It calls `facts` with an About beside them, a Source that says
  who sent the document and which ones it replaces, and perhaps a Bundle of FHIR of what the document states and no model
  holds. The service makes facts of what `facts` writes (core/xml/drafts.ts):
    Model    a fact. `id` shows repeated facts: of two with the same id that are equal in every field, only one is kept.
             `statement` is the source's own key of what is stated; facts with the same key are one statement.
             A Field that is `apart` is not compared. A Field with a code may have more codes of the same in `also`.
             `sent-in` and `sent-as` are the sender's id of it, its system and value; `sent-by` is who gave the id,
             `sent-at` when, and `sent-version` the number of the version, if these are not those of the document.
             `sent-odd-dates` are dates that nobody means, as they are written: they are told in the notes.
             `label` is the name by which a Member refers to a fact; several facts of one statement may share it.
    Member   in a Field: it becomes a LabPanelResult for each fact with the label `of`. Drafts that make no fact are in
             no panel.
    Reading  one vital sign. Readings of one `group` become one VitalSigns. Of two equal readings in a group only one is
             kept; two that differ are both kept. The statement of a VitalSigns is that of its first reading. The Fields
             in a Reading are those of its group: readings with different Fields are in different groups.
    Link     in a Field: the name of the fact with the label `of`, as a column of the type Statement has it. Drafts that make
             no fact are not referred to; of several, the first is.
    LeftOut  something that makes no fact, with its model and reason.
    TakenBack  beside a LeftOut: a statement that its sender says was never true, with its model, its name, and the ids of
             a Model. An older statement with these does not count any more.
    At       a place of the document, named by `where`, around any of these; `part` is its number if the document has
             numbered parts.
  Fields are trimmed, cut to the length of their column and dropped when empty. What is left out is counted by place
  and reason.
  The tables are those that such stylesheets share: titles, vital signs, kinds of encounters, words for "none".
-->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:exsl="http://exslt.org/common"
                xmlns:str="http://exslt.org/strings" exclude-result-prefixes="exsl str">
  <!-- "yes" if the words say that a medicine is not to be taken any more, and nothing else: "STOP taking", "STOP aspirin". -->
  <xsl:template name="says-stop">
    <xsl:param name="said"/>
    <xsl:param name="drug"/>
    <xsl:variable name="spoken" select="normalize-space(translate($said, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ.!*:', 'abcdefghijklmnopqrstuvwxyz'))"/>
    <xsl:variable name="called" select="normalize-space(translate($drug, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ[]*', 'abcdefghijklmnopqrstuvwxyz()'))"/>
    <xsl:variable name="rest" select="normalize-space(concat(substring-after(concat('|', $spoken), '|stop taking '), substring(substring-after(concat('|', $spoken), '|stop '), 1, 300 * not(starts-with($spoken, 'stop taking '))), substring-after(concat('|', $spoken), '|discontinue ')))"/>
    <!-- "Ibuprofen [DISCONTINUED 01/02/2024]": without its day. -->
    <xsl:variable name="undated" select="str:replace(normalize-space(translate($called, '0123456789/', '')), ' )', ')')"/>
    <xsl:variable name="name-says" select="$words[contains($begins, concat('|stopped ', substring($called, 1, 3), '|')) or contains($ends, concat('|stopped ', substring($called, string-length($called) - 3), '|')) or contains($ends, concat('|stopped ', substring($undated, string-length($undated) - 3), '|'))]/stopped[@begins and starts-with($called, @begins) or @ends and (substring($called, string-length($called) - string-length(@ends) + 1) = @ends or substring($undated, string-length($undated) - string-length(@ends) + 1) = @ends)]"/>
    <xsl:if test="$name-says or $words/stop = $spoken or (string-length($rest) &gt; 3 and contains($called, $rest))">yes</xsl:if>
  </xsl:template>

  <!-- The title of a list, in the words of its source, if it says that what stands in it is over: "Discontinued
       Medications", "Resolved", "Allergies - Inactive". -->
  <xsl:template name="past-list">
    <xsl:param name="title"/>
    <xsl:variable name="spoken"><xsl:call-template name="plain-words"><xsl:with-param name="words" select="$title"/></xsl:call-template></xsl:variable>
    <xsl:variable name="last" select="str:tokenize(translate($spoken, '-–—:()[],/', '          '), ' ')[last()]"/>
    <xsl:if test="$spoken != '' and ($words/past-list[starts-with($spoken, .)] or contains($past-words, concat(' ', $last, ' ')))"><xsl:value-of select="concat(' In the words of the source: ', normalize-space($title), '.')"/></xsl:if>
  </xsl:template>
  <!-- Words of which one alone, or the last one, says so. -->
  <xsl:variable name="past-words" select="' resolved inactive behoben inaktiv resueltos resueltas inactivos inactivas '"/>

  <!-- The title of a list, in the words of its source, if it is one of what the person once had, which may or may not still
       be there: "Past Medical History". -->
  <xsl:template name="history-list">
    <xsl:param name="title"/>
    <xsl:variable name="spoken"><xsl:call-template name="plain-words"><xsl:with-param name="words" select="$title"/></xsl:call-template></xsl:variable>
    <xsl:if test="$spoken != '' and $words/history-list[starts-with(concat($spoken, ' '), .)]"><xsl:value-of select="concat(' In the words of the source: ', normalize-space($title), '.')"/></xsl:if>
  </xsl:template>

  <!-- "yes" if the title of a list says that it is one of what the family has. -->
  <xsl:template name="family-title">
    <xsl:param name="title"/>
    <xsl:variable name="spoken"><xsl:call-template name="plain-words"><xsl:with-param name="words" select="$title"/></xsl:call-template></xsl:variable>
    <xsl:if test="$words[contains($begins, concat('|family ', substring($spoken, 1, 3), '|'))]/family[@begins][starts-with($spoken, @begins)]">yes</xsl:if>
  </xsl:template>

  <!-- The title of a list, in the words of its source, if it says that what stands in it was given then and is over:
       "Medications Administered". -->
  <xsl:template name="given-list">
    <xsl:param name="title"/>
    <xsl:variable name="spoken"><xsl:call-template name="plain-words"><xsl:with-param name="words" select="$title"/></xsl:call-template></xsl:variable>
    <xsl:if test="$spoken != '' and $words/given-list[starts-with($spoken, .)]"><xsl:value-of select="concat(' In the words of the source: ', normalize-space($title), '.')"/></xsl:if>
  </xsl:template>

  <!-- "yes" if the name of a medicine says that it is on hold, "Metformin (HOLD)", or if a clause of one of the remarks begins
       so: "HOLD until seen", "Take 1 daily. On hold", but not "Hold if pulse below 50". -->
  <xsl:template name="says-held">
    <xsl:param name="drug"/>
    <xsl:param name="remarks"/>
    <xsl:variable name="called" select="normalize-space(translate($drug, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ[]*', 'abcdefghijklmnopqrstuvwxyz()'))"/>
    <xsl:if test="$words[contains($begins, concat('|held ', substring($called, 1, 3), '|')) or contains($ends, concat('|held ', substring($called, string-length($called) - 3), '|'))]/held[@begins and starts-with($called, @begins) or @ends and substring($called, string-length($called) - string-length(@ends) + 1) = @ends]">yes</xsl:if>
    <xsl:for-each select="$remarks[string-length() &gt; 3]">
      <xsl:variable name="spoken"><xsl:call-template name="plain-words"><xsl:with-param name="words" select="translate(., '*', '')"/></xsl:call-template></xsl:variable>
      <xsl:for-each select="str:tokenize(str:replace($spoken, ' - ', ';'), ',;:.()!–—|')[normalize-space()][position() = 1 or string-length($spoken) &lt;= 200]">
        <xsl:variable name="clause" select="concat(normalize-space(), ' ')"/>
        <xsl:if test="$words[contains($holds, concat('|', substring($clause, 1, 3), '|'))]/hold[starts-with($clause, .)][not(@alone) or . = $clause] and not($words/provided[contains($clause, .)] or contains($spoken, 'resumed') or contains($spoken, 'restarted'))">yes</xsl:if>
      </xsl:for-each>
    </xsl:for-each>
  </xsl:template>

  <!-- "yes" if the name of a medicine or a clause of one of the remarks begins with words that do not fit to a medicine that
       is taken now, so that nobody can tell: "Considering Prozac", "Will start after surgery", "Switched to bisoprolol". What
       holds only in a case says nothing of now: "Stop if rash appears". -->
  <xsl:variable name="doubt-fillers" select="' patient patients pt pts he she they the this that it medication medicine drug has have had been was were is are currently now temporarily to be der die das patientin wird wurde hat el la paciente ha sido fue le '"/>
  <xsl:template name="says-doubtful">
    <xsl:param name="names"/>
    <xsl:param name="remarks"/>
    <xsl:variable name="unsure"><xsl:call-template name="unsure"><xsl:with-param name="names" select="$names"/></xsl:call-template></xsl:variable>
    <xsl:value-of select="$unsure"/>
    <xsl:for-each select="$names | $remarks[string-length() &gt; 3]">
      <xsl:variable name="named" select="count(. | $names) = count($names)"/>
      <xsl:variable name="spoken"><xsl:call-template name="plain-words"><xsl:with-param name="words" select="translate(., '*', '')"/></xsl:call-template></xsl:variable>
      <xsl:for-each select="str:tokenize(str:replace(str:replace($spoken, ' - ', ';'), ' but ', ';'), ',;:.()[]!–—|')[normalize-space()][position() = 1 or string-length($spoken) &lt;= 200]">
        <xsl:variable name="first" select="position() = 1"/>
        <xsl:variable name="parts" select="str:tokenize(., ' ')"/>
        <xsl:variable name="start" select="$parts[not(contains($doubt-fillers, concat(' ', ., ' ')))][1]"/>
        <xsl:variable name="clause"><xsl:for-each select="$start | $start/following-sibling::*"><xsl:value-of select="concat(., ' ')"/></xsl:for-each></xsl:variable>
        <xsl:variable name="whole" select="concat(normalize-space(), ' ')"/>
        <xsl:if test="$words[contains($doubts, concat('|', $start, '|')) or contains($doubts, concat('|', $parts[1], '|'))]/doubtful[not(@first) or $first][not(@named) or $named][@alone and ($clause = concat(@words, ' ') or $whole = concat(@words, ' ')) or not(@alone) and (starts-with($clause, concat(@words, ' ')) or starts-with($whole, concat(@words, ' ')))][not(@and) or contains($clause, @and)][not(@without) or not(contains($clause, @without))] and not($words/provided[contains($clause, .)])">yes</xsl:if>
      </xsl:for-each>
    </xsl:for-each>
  </xsl:template>

  <!-- "yes" if a clause of one of the remarks says that the person does not take the medicine, and nothing else: "(Not
       Taking/PRN)", "Take 1 daily. Patient not taking: Reported on 1 March", "Taking? No". A clause with any other word
       says something else: "not taking with food", "if not taking aspirin". What follows may say that it is taken again.
       "hold" if it is only until then: "Not taking, but will resume Monday", "Not taking until Monday".
       Long remarks are about other things, too, and say it at their beginning. -->
  <xsl:variable name="not-words" select="' not no never stopped quit isn&#x2019;t isnt hasn&#x2019;t hasnt doesn&#x2019;t doesnt nicht nie pas plus non niet dej&#xF3; dejo &#x644;&#x627; &#x644;&#x645; &#x644;&#x64A;&#x633; &#x62A;&#x648;&#x642;&#x641; &#x62A;&#x648;&#x642;&#x641;&#x62A; '"/>
  <!-- Words of a clause that says that a medicine was stopped, and nothing else: "Stopped 3/2024 by cardiology". -->
  <xsl:variable name="stop-words" select="' stopped discontinued abgesetzt beendet gestoppt suspendido suspendida suspendi&#xF3; interrumpido interrumpida arr&#xEA;t&#xE9; arr&#xEA;t&#xE9;e interrompu sospeso sospesa interrotto gestopt gestaakt &#x623;&#x648;&#x642;&#x641; &#x623;&#x648;&#x642;&#x641;&#x62A; &#x62A;&#x648;&#x642;&#x641; '"/>
  <xsl:variable name="stop-fillers" select="' therapy treatment therapie behandlung tratamiento traitement terapia ago week weeks month months day days year years already self '"/>
  <xsl:variable name="stop-causes" select="' by per on in am el le dem el il op after nach due for until '"/>
  <xsl:variable name="take-words" select="' taking taken take takes took using nimmt eingenommen genommen einnimmt toma tomando tomar tomado usa prend pris prise assume assunto neemt gebruikt slikt inneemt ingenomen &#x64A;&#x62A;&#x646;&#x627;&#x648;&#x644; &#x62A;&#x62A;&#x646;&#x627;&#x648;&#x644; &#x62A;&#x646;&#x627;&#x648;&#x644; &#x64A;&#x62A;&#x646;&#x627;&#x648;&#x644;&#x647; &#x64A;&#x623;&#x62E;&#x630; &#x62A;&#x623;&#x62E;&#x630; &#x623;&#x62E;&#x630; '"/>
  <xsl:variable name="taker-words" select="' patient patients pt pts the he she they is are was has have been does currently now presently actively still yet longer anymore at this time moment present medication medicine med drug it prn reported reports report states stated says said per by on of status reason unknown
    patientin der die das er sie es ihn den dieses medikament pr&#xE4;parat wird wurde hat mehr derzeit zurzeit aktuell momentan vom von laut ein paciente el la lo los este esta medicamento medicina ya est&#xE1; actualmente ahora refiere que de ne le il elle patiente ce m&#xE9;dicament actuellement paziente farmaco attualmente pi&#xF9; meer het wordt pati&#xEB;nt pati&#xEB;nte dit medicijn momenteel in &#x64A;&#x639;&#x62F; &#x62A;&#x639;&#x62F; &#x639;&#x646; &#x627;&#x644;&#x645;&#x631;&#x64A;&#x636; &#x627;&#x644;&#x645;&#x631;&#x64A;&#x636;&#x629; &#x647;&#x630;&#x627; &#x627;&#x644;&#x62F;&#x648;&#x627;&#x621; &#x62D;&#x627;&#x644;&#x64A;&#x627; &#x62D;&#x627;&#x644;&#x64A;&#x627;&#x64B; '"/>
  <!-- Words after which a clause only says since when or why. -->
  <xsl:variable name="since-words" select="' since because due seit wegen weil desde porque debido depuis sinds dal ab &#x645;&#x646;&#x630; &#x628;&#x633;&#x628;&#x628; '"/>
  <!-- Words after which a clause says until when. -->
  <xsl:variable name="until-words" select="' until till bis hasta jusqu&#x2019;au fino tot &#x62D;&#x62A;&#x649; '"/>
  <xsl:template name="says-untaken">
    <xsl:param name="remarks"/>
    <xsl:param name="drug"/>
    <xsl:variable name="marks">,;:.?=()[]/!–—|*"&#10;</xsl:variable>
    <!-- A name may say it, too, behind the drug. -->
    <xsl:variable name="called"><xsl:call-template name="plain-words"><xsl:with-param name="words" select="translate($drug, concat($marks, '-'), '                  ')"/></xsl:call-template></xsl:variable>
    <xsl:variable name="called-words" select="str:tokenize($called, ' ')"/>
    <xsl:variable name="end" select="$called-words[contains($not-words, concat(' ', ., ' '))][1]"/>
    <xsl:variable name="own"><xsl:text> </xsl:text><xsl:for-each select="$called-words[not($end) or count(preceding-sibling::*) &lt; count($end/preceding-sibling::*)]"><xsl:value-of select="concat(., ' ')"/></xsl:for-each></xsl:variable>
    <xsl:variable name="fillers" select="concat(translate($taker-words, '&#10;', ' '), $relatives, $own)"/>
    <!-- Most texts have none of the words that say it, and need not be taken apart. -->
    <xsl:for-each select="$remarks[string-length() &gt; 4][str:tokenize(translate(., &quot;ABCDEFGHIJKLMNOPQRSTUVWXYZ'&quot;, 'abcdefghijklmnopqrstuvwxyz&#x2019;'), concat($marks, '- &#9;&#13;'))[contains($untakens, concat(' ', ., ' '))]]">
      <xsl:variable name="spoken"><xsl:call-template name="plain-words"><xsl:with-param name="words" select="."/></xsl:call-template></xsl:variable>
      <xsl:variable name="apart" select="translate(str:replace(str:replace(str:replace(str:replace(str:replace(str:replace(str:replace(str:replace(translate($spoken, &quot;'&quot;, '&#x2019;'), 'd/c&#x2019;d', 'discontinued'), 'dc&#x2019;d', 'discontinued'), 'd/c ', 'discontinued '), ' - ', ' ; '), 'any more', 'anymore'), 'any longer', 'longer'), ' as of ', ' since '), 'b/c', 'because'), '-', ' ')"/>
      <xsl:variable name="clauses" select="str:tokenize(str:replace(str:replace(str:replace(str:replace($apart, ' but ', ' ; but '), ' aber ', ' ; aber '), ' pero ', ' ; pero '), ' and will ', ' ; will '), $marks)[normalize-space()]"/>
      <xsl:variable name="short" select="string-length($spoken) &lt;= 200"/>
      <xsl:variable name="untaken">
        <xsl:for-each select="$clauses[position() = 1 or $short]">
          <xsl:variable name="place" select="position()"/>
          <xsl:variable name="words-said" select="str:tokenize(., ' ')"/>
          <xsl:variable name="cause" select="$words-said[contains($since-words, concat(' ', ., ' ')) or contains($until-words, concat(' ', ., ' '))][1]"/>
          <xsl:variable name="clause" select="$words-said[not($cause) or count(preceding-sibling::*) &lt; count($cause/preceding-sibling::*)]"/>
          <xsl:variable name="nots" select="count($clause[contains($not-words, concat(' ', ., ' '))]) + ($short and contains('|no|n|nein|false|not|', concat('|', normalize-space($clauses[$place + 1]), '|')) and not($clause[contains($not-words, concat(' ', ., ' '))]))"/>
          <xsl:variable name="bare"><xsl:for-each select="$words-said[not(contains($own, concat(' ', ., ' ')))]"><xsl:value-of select="concat(substring(' ', 1, position() > 1), .)"/></xsl:for-each></xsl:variable>
          <!-- "Stopped for surgery" may be only until then, and "Stopped by the manufacturer" is no person's word. -->
          <xsl:variable name="stopping" select="$words-said[contains($stop-words, concat(' ', ., ' '))][1]"/>
          <xsl:variable name="end-of-stop" select="$stopping/following-sibling::*[contains(concat($stop-causes, $since-words), concat(' ', ., ' '))][1]"/>
          <xsl:variable name="says-stopped" select="$stopping and not($end-of-stop[. = 'for' or . = 'until']) and not(contains(., 'manufactur') or contains(., 'hersteller'))
                        and not($words-said[not($end-of-stop) or count(preceding-sibling::*) &lt; count($end-of-stop/preceding-sibling::*)][not(. = $stopping or contains($stop-fillers, concat(' ', ., ' ')) or contains($fillers, concat(' ', ., ' ')) or number() = number())])"/>
          <xsl:if test="$words/untaken = string($bare) or (not($clauses[2]) and $words/untaken-alone = string($bare)) or $says-stopped or ($nots = 1 and $clause[contains($take-words, concat(' ', ., ' '))]
                        and not($clause[not(contains($not-words, concat(' ', ., ' ')) or contains($take-words, concat(' ', ., ' ')) or contains($fillers, concat(' ', ., ' ')) or number() = number())]))"><at><xsl:if test="contains($until-words, concat(' ', $cause, ' '))"><xsl:attribute name="until">yes</xsl:attribute></xsl:if><xsl:value-of select="$place"/></at></xsl:if>
        </xsl:for-each>
      </xsl:variable>
      <xsl:variable name="at" select="exsl:node-set($untaken)/at[1]"/>
      <xsl:variable name="later"><xsl:text> </xsl:text><xsl:for-each select="$clauses[$at][position() &gt; $at]"><xsl:value-of select="concat(normalize-space(), ' ')"/></xsl:for-each></xsl:variable>
      <xsl:choose>
        <xsl:when test="not($at)"/>
        <xsl:when test="$words/not-resuming[contains($later, .)]">yes</xsl:when>
        <xsl:when test="$at/@until or $words/resuming[contains($later, .)]">hold</xsl:when>
        <xsl:when test="not(contains($later, 'restart') or contains($later, 'resum') or contains($later, ' again') or contains($later, 'wieder') or contains($later, 'reanud'))">yes</xsl:when>
      </xsl:choose>
    </xsl:for-each>
  </xsl:template>

  <!-- "yes" if one of the remarks says that a vaccine was not given, and nothing in it that it was after all: "Refused by
       patient", but not "Refused at first, given later". -->
  <xsl:template name="says-not-given">
    <xsl:param name="remarks"/>
    <!-- Whether the first clause may say no more than that: who "declined sedation" was operated nevertheless. -->
    <xsl:param name="whole" select="false()"/>
    <xsl:for-each select="$remarks">
      <xsl:variable name="spoken"><xsl:call-template name="plain-words"><xsl:with-param name="words" select="."/></xsl:call-template></xsl:variable>
      <xsl:variable name="clause" select="normalize-space(str:tokenize($spoken, ',;.:(!')[1])"/>
      <xsl:if test="$words/ungiven[starts-with($spoken, .)][not($whole) or $clause = . or $clause = concat(., ' by patient') or $clause = concat(., ' by the patient')]">
        <xsl:variable name="flat" select="concat(' ', normalize-space(translate($spoken, ',;:.()[]/*!-', '            ')), ' ')"/>
        <xsl:variable name="after-all"><xsl:for-each select="$words/given[contains($flat, .)]"><xsl:variable name="word" select="."/><xsl:if test="not($words/besides-given[contains($flat, concat(' ', ., $word))])">yes</xsl:if></xsl:for-each></xsl:variable>
        <xsl:if test="$after-all = ''">yes</xsl:if>
      </xsl:if>
    </xsl:for-each>
  </xsl:template>

  <!-- "yes" if one of the texts about a vaccination without a day says that it is still to come: "Due 2027", but not "Due to
       travel", "Next dose due 2027", "Was due in 2019, given" or of a lot that it "vence 2027". -->
  <xsl:template name="says-due">
    <xsl:param name="texts"/>
    <xsl:for-each select="$texts">
      <xsl:variable name="spoken"><xsl:call-template name="plain-words"><xsl:with-param name="words" select="."/></xsl:call-template></xsl:variable>
      <xsl:variable name="flat" select="str:replace(concat(' ', normalize-space(translate($spoken, ',;:.()[]/*!-', '            ')), ' '), ' due to ', ' ')"/>
      <xsl:if test="$words/due[contains($flat, .)] and not($words/besides-due[contains($flat, .)])">
        <xsl:variable name="after-all"><xsl:for-each select="$words/given[contains($flat, .)]"><xsl:variable name="word" select="."/><xsl:if test="not($words/besides-given[contains($flat, concat(' ', ., $word))])">yes</xsl:if></xsl:for-each></xsl:variable>
        <xsl:if test="$after-all = ''">yes</xsl:if>
      </xsl:if>
    </xsl:for-each>
  </xsl:template>

  <!-- "yes" if one of the names says that it was not done: "Influenza vaccine - declined". -->
  <xsl:template name="name-says-undone">
    <xsl:param name="names"/>
    <xsl:param name="model"/>
    <xsl:for-each select="$names">
      <xsl:variable name="spoken"><xsl:call-template name="plain-words"><xsl:with-param name="words" select="."/></xsl:call-template></xsl:variable>
      <xsl:variable name="parts" select="str:tokenize(translate($spoken, '()[],;:.', '        '), ' ')"/>
      <xsl:if test="($parts[3] and contains($done-words, concat(' ', $parts[last()], ' ')) and contains($deny-words, concat(' ', $parts[last() - 1], ' '))) or $words[contains($ends, concat('|undone ', substring($spoken, string-length($spoken) - 3), '|')) or contains($begins, concat('|undone ', substring($spoken, 1, 3), '|'))]/undone[not(@of) or @of = $model][not(@without) or not(contains($spoken, @without) or contains($spoken, 'immuni'))][@ends and substring($spoken, string-length($spoken) - string-length(@ends) + 1) = @ends or @begins and starts-with($spoken, @begins)] or $words/undone[@within][not(@of) or @of = $model][contains($spoken, @within)] or (contains(concat(' ', $spoken), ' due 20') and not(contains($spoken, 'next')))">yes</xsl:if>
    </xsl:for-each>
  </xsl:template>

  <!-- That a problem is over, where its name ends or begins so: "Pneumonia (resolved)", "Asthma - resolved 2019".
       "Not healed", "healed badly" and "resolved, recurred in May" do not say so. -->
  <xsl:variable name="over-words" select="' resolved healed outgrown cured recovered genesen recuperado recuperada rétabli rétablie delabeled delabelled behoben abgeheilt ausgeheilt verheilt geheilt resuelto resuelta curado curada résolu résolue guéri guérie risolto risolta guarito guarita opgelost genezen resolvido resolvida '"/>
  <xsl:variable name="not-over-words" select="' be not never no nicht noch nie pas non niet não partially partly incompletely almost nearly mostly teilweise kaum parcialmente if until when once wenn bis si hasta '"/>
  <xsl:variable name="over-fillers" select="' problem condition diagnosis issue this is was now has been fully completely ist wurde el la se ha sido '"/>
  <xsl:variable name="since-over" select="' after following since in on as by per with during spontaneously nach seit im mit tras desde en con après depuis dopo '"/>
  <xsl:template name="resolved-by-name">
    <xsl:param name="name"/>
    <!-- Whether it is a remark, which says so only with nothing else before it: "Problem resolved 2019". -->
    <xsl:param name="alone" select="false()"/>
    <xsl:variable name="spoken"><xsl:call-template name="plain-words"><xsl:with-param name="words" select="$name"/></xsl:call-template></xsl:variable>
    <xsl:variable name="clauses" select="str:tokenize(str:replace($spoken, ' - ', ' ; '), ',;:()[]–—')[translate(., ' 0123456789/.-', '') != '']"/>
    <xsl:variable name="parts" select="str:tokenize($clauses[last()], ' ')[translate(., '0123456789/.-', '') != '']"/>
    <xsl:variable name="over" select="$parts[contains($over-words, concat(' ', translate(., '.*!', ''), ' '))][last()]"/>
    <xsl:variable name="next" select="$over/following-sibling::*[translate(., '0123456789/.-', '') != ''][1]"/>
    <xsl:variable name="first" select="translate(str:tokenize($spoken, ' ')[1], ':()[]', '')"/>
    <xsl:if test="(contains('|resolved|healed|outgrown|', concat('|', $first, '|')) or ($over and (not($next) or contains($since-over, concat(' ', $next, ' '))))) and not($parts[contains($not-over-words, concat(' ', ., ' '))])
                  and not($alone and ($clauses[2] or $parts[not(contains($over-fillers, concat(' ', ., ' ')))][count(following-sibling::*) &gt; count($over/following-sibling::*)]))
                  and not($words/back-again[contains($spoken, .)])"><Field name="clinicalStatus_title">Resolved</Field></xsl:if>
    <!-- "Alcohol dependence, in remission", as codes of ICD name it; "not having achieved remission" and a partial one are
         none. -->
    <xsl:if test="not($alone) and (contains($spoken, 'in remission') or contains($spoken, 'in full remission') or contains($spoken, 'in vollremission') or contains($spoken, 'en remisión') or contains($spoken, 'en rémission')) and not(contains($spoken, 'partial') or contains($spoken, 'parcial') or contains($spoken, 'not ') or contains($spoken, 'relaps'))"><Field name="clinicalStatus_title">Remission</Field></xsl:if>
    <xsl:if test="not($alone)"><xsl:call-template name="pregnancy-over"><xsl:with-param name="spoken" select="$spoken"/></xsl:call-template></xsl:if>
  </xsl:template>

  <!-- That a pregnancy is over, where its name says so ("Pregnancy, delivered 2020"), and that a birth or a miscarriage is,
       where its name says nothing else but the year: "Miscarriage 2018 at 9 weeks". "Recurrent miscarriages" may go on. -->
  <xsl:variable name="birth-words" select="' delivered miscarried aborted terminated entbunden accouch&#xE9; accouch&#xE9;e partorito bevallen pari&#xF3; &#x648;&#x644;&#x62F;&#x62A; '"/>
  <xsl:variable name="birth-events" select="' miscarriage ectopic stillbirth childbirth birth delivery abortion sab tab fehlgeburt abort totgeburt geburt entbindung aborto parto mortinato fausse-couche couche accouchement ivg aborto parto miskraam bevalling &#x625;&#x62C;&#x647;&#x627;&#x636; &#x648;&#x644;&#x627;&#x62F;&#x629; '"/>
  <xsl:variable name="birth-fillers" select="' at in on of and the x pregnancy tubal weeks week wks wk months month trimester first second third 1st 2nd 3rd spontaneous complete missed elective induced vaginal normal live term preterm early late cesarean caesarean section spontan komplikationslos monat ssw woche im in der espont&#xE1;neo espont&#xE1;nea semanas normal ces&#xE1;rea en de fausse spontan&#xE9;e &#xE0; january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec '"/>
  <xsl:template name="pregnancy-over">
    <xsl:param name="spoken"/>
    <xsl:variable name="all" select="str:tokenize($spoken, ' ,;:()[]/.&#x2013;&#x2014;')"/>
    <xsl:variable name="pregnant" select="contains($spoken, 'pregnan') or contains($spoken, 'schwanger') or contains($spoken, 'embaraz') or contains($spoken, 'grossesse') or contains($spoken, 'gravidanza') or contains($spoken, 'zwanger') or contains($spoken, '&#x62D;&#x627;&#x645;&#x644;') or contains($spoken, '&#x62D;&#x645;&#x644;')"/>
    <xsl:variable name="born" select="$all[contains($birth-words, concat(' ', ., ' '))] or contains($spoken, 'gave birth') or contains($spoken, 'given birth') or contains($spoken, 'dio a luz') or contains($spoken, 'hat geboren')"/>
    <xsl:variable name="year" select="$all[string-length() = 4][. &gt; 1900 and . &lt; 2100]"/>
    <xsl:variable name="event" select="$all[contains($birth-events, concat(' ', ., ' '))]"/>
    <xsl:if test="not($all[contains($not-over-words, concat(' ', ., ' '))]) and ($pregnant and $born or $event and $year and not($all[not(. = $event or contains($birth-fillers, concat(' ', ., ' ')) or translate(., '0123456789-+x', '') = '')]))"><Field name="clinicalStatus_title">Resolved</Field></xsl:if>
  </xsl:template>

  <!-- "refuted" or "resolved" if the name of an allergy ends with words that say so ("Penicillin - entered in error"), or if
       a clause of one of the remarks, or of a name behind its first one, says that and nothing else but days: "Allergy to
       penicillin removed by Dr. A". "unclear" if it says so what does not fit to an allergy that is there: "not a true
       allergy", "tolerated since 2019". A clause with any other word says something else: "Severity entered in error",
       "Stinger removed", "Tolerates cephalexin". -->
  <xsl:variable name="allergy-words" select="' allergy allergies allergie allergieeintrag eintrag alergia entry label &#x62D;&#x633;&#x627;&#x633;&#x64A;&#x629; &#x627;&#x644;&#x62D;&#x633;&#x627;&#x633;&#x64A;&#x629; '"/>
  <xsl:variable name="unallergic-fillers" select="' to the this that it was is has been were patient patients pt her his from chart list auf gegen die der das wurde ist war la el a al fue ha sido '"/>
  <xsl:variable name="clause-ends" select="' since because due after following per by on in seit wegen nach durch am tras desde '"/>
  <xsl:template name="says-unallergic">
    <xsl:param name="names"/>
    <xsl:param name="remarks"/>
    <xsl:variable name="marks">,;:.()[]!–—*"/</xsl:variable>
    <xsl:variable name="called"><xsl:text> </xsl:text><xsl:for-each select="$names"><xsl:call-template name="plain-words"><xsl:with-param name="words" select="translate(., concat($marks, '-'), '               ')"/></xsl:call-template><xsl:text> </xsl:text></xsl:for-each></xsl:variable>
    <xsl:variable name="found">
      <xsl:for-each select="$names">
        <xsl:variable name="spoken"><xsl:call-template name="plain-words"><xsl:with-param name="words" select="translate(., concat($marks, '-'), '               ')"/></xsl:call-template></xsl:variable>
        <xsl:variable name="parts" select="str:tokenize($spoken, ' ')"/>
        <xsl:variable name="of-allergy" select="$parts[contains($allergy-words, concat(' ', ., ' '))]"/>
        <xsl:if test="not($parts[contains($not-words, concat(' ', ., ' ')) and not(. = 'no' and contains($spoken, 'no longer allergic'))][not(contains($spoken, 'not allergic'))] or $parts[. = 'be' or . = 'reaction' or . = 'severity'])">
          <xsl:value-of select="concat($words/unallergic[not(@named) or $of-allergy][substring(concat(' ', $spoken), string-length($spoken) + 1 - string-length(.)) = concat(' ', .)][1]/@to, ' ')"/>
        </xsl:if>
      </xsl:for-each>
      <xsl:for-each select="$names | $remarks">
        <xsl:variable name="of-name" select="count(. | $names) = count($names)"/>
        <xsl:variable name="spoken"><xsl:call-template name="plain-words"><xsl:with-param name="words" select="translate(str:replace(str:replace(., 'by mistake', 'in error'), ' - ', ' ; '), '-', ' ')"/></xsl:call-template></xsl:variable>
        <xsl:variable name="clauses" select="str:tokenize($spoken, $marks)[normalize-space()]"/>
        <xsl:variable name="own"><xsl:if test="$of-name"><xsl:value-of select="concat(' ', $clauses[1], ' ')"/></xsl:if><xsl:if test="not($of-name)"><xsl:value-of select="$called"/></xsl:if></xsl:variable>
        <xsl:for-each select="$clauses[position() = 1 and not($of-name) or position() &gt; 1 and string-length($spoken) &lt;= 200]">
          <xsl:variable name="parts" select="str:tokenize(str:replace(concat(., ' '), ' in error ', ' in-error '), ' ')"/>
          <xsl:variable name="end" select="$parts[contains($clause-ends, concat(' ', ., ' '))][1]"/>
          <xsl:variable name="clause" select="$parts[not($end) or count(preceding-sibling::*) &lt; count($end/preceding-sibling::*)]"/>
          <xsl:variable name="bare"><xsl:for-each select="$clause[not(contains(concat($allergy-words, $unallergic-fillers), concat(' ', ., ' ')) or contains($own, concat(' ', ., ' ')) or translate(., '0123456789', '') = '')]"><xsl:value-of select="concat(substring(' ', 1, position() > 1), .)"/></xsl:for-each></xsl:variable>
          <xsl:variable name="of-allergy" select="$clause[contains($allergy-words, concat(' ', ., ' '))]"/>
          <xsl:value-of select="concat($words/unallergic[not(@named) or $of-allergy][. = str:replace($bare, 'in-error', 'in error')][1]/@to, ' ')"/>
        </xsl:for-each>
      </xsl:for-each>
    </xsl:variable>
    <xsl:value-of select="substring-before(concat(normalize-space($found), ' '), ' ')"/>
  </xsl:template>

  <!-- The Fields of an allergy that is said not to be there. -->
  <xsl:template name="refuted-allergy">
    <Field name="verificationStatus_identifier">refuted</Field>
    <Field name="verificationStatus_title">Refuted</Field>
    <Field name="verificationStatus_system">http://terminology.hl7.org/CodeSystem/allergyintolerance-verification</Field>
  </xsl:template>

  <!-- Words for what takes an illness away. -->
  <xsl:variable name="taken-out-words" select="' removal removed excision excised resection resected extraction repair repaired drainage entfernung entfernt resektion extraktion '"/>
  <!-- "yes" if one of the names says that a problem was there once, and not that it still is: "H/o asthma", "Z.n. Infarkt". -->
  <xsl:template name="bygone-by-words">
    <xsl:param name="names"/>
    <xsl:for-each select="$names">
      <xsl:variable name="spoken"><xsl:call-template name="plain-words"><xsl:with-param name="words" select="."/></xsl:call-template></xsl:variable>
      <xsl:variable name="flat" select="concat(translate($spoken, &quot;:’'&quot;, '   '), ' ')"/>
      <!-- "Gallstones s/p removal": what was taken out is not there as it was. "CAD s/p stent" is. -->
      <xsl:variable name="since" select="str:tokenize(concat(substring-after($flat, ' s/p '), ' ', substring-after($flat, ' status post '), ' ', substring-after($flat, ' z.n. '), ' ', substring-after($flat, ' st.p. ')), ' ,;.()')"/>
      <xsl:if test="$since[contains($taken-out-words, concat(' ', ., ' ')) or substring(., string-length() - 4) = 'ctomy' or substring(., string-length() - 5) = 'ktomie'] or $words[contains($ends, concat('|bygone ', substring($spoken, string-length($spoken) - 3), '|')) or contains($begins, concat('|bygone ', substring($flat, 1, 3), '|'))]/bygone[@begins and starts-with($flat, concat(@begins, ' ')) or @ends and substring($spoken, string-length($spoken) - string-length(@ends) + 1) = @ends] or $words/bygone[@marked][starts-with($spoken, @marked)]
                    and not(contains($flat, 'history of present') or contains($flat, 'hx of present'))">yes</xsl:if>
    </xsl:for-each>
  </xsl:template>

  <!-- "event" if the name of a problem is that of something that happens and passes, with its year ("MI 2012", "Stroke, 3/2015"),
       of a reason for a visit ("Encounter for immunization", or its code of ICD-10), or says at its end that a habit was given
       up ("Tobacco use - quit 2010"), or only says that the person died; "year" if another name has a year: it may be there or not, "Breast cancer 2010".
       Nothing where it says that it goes on: "Asthma since 2012". -->
  <xsl:variable name="event-words" select="' mi nstemi stemi cva stroke tia pe dvt infarct infarction apoplexy pneumonia appendicitis pyelonephritis cellulitis meningitis concussion fracture fractures fx dislocation sprain laceration sepsis bacteremia urosepsis hemorrhage haemorrhage bleed bleeding covid covid-19 influenza mononucleosis shingles embolism thrombosis seizure syncope overdose mva mvc surgery cabg bypass stent repair replacement transplant hysterectomy herzinfarkt myokardinfarkt schlaganfall apoplex lungenembolie beinvenenthrombose lungenentz&#xFC;ndung fraktur bruch gehirnersch&#xFC;tterung op operation infarto ictus acv neumon&#xED;a fractura embolia trombosis apendicitis cirug&#xED;a infarctus avc pneumonie embolie thrombose appendicite ictus frattura polmonite '"/>
  <xsl:variable name="lasting-words" select="' since seit desde depuis dal sinds from chronic chronisch cr&#xF3;nico cr&#xF3;nica chronique recurrent ongoing current currently residual sequela sequelae persistent active ab '"/>
  <xsl:variable name="death-words" select="'|expired|deceased|died|dead|death|patient expired|patient deceased|patient died|pt expired|pt deceased|verstorben|patient verstorben|gestorben|tod|fallecido|fallecida|paciente fallecido|paciente fallecida|&#xE9;xitus|exitus|d&#xE9;c&#xE9;d&#xE9;|d&#xE9;c&#xE9;d&#xE9;e|deceduto|deceduta|overleden|&#x645;&#x62A;&#x648;&#x641;&#x649;|&#x645;&#x62A;&#x648;&#x641;&#x64A;|&#x645;&#x62A;&#x648;&#x641;&#x627;&#x629;|'"/>
  <xsl:variable name="quit-words" select="' quit sober abstinent rauchfrei abstinente sevr&#xE9; sevr&#xE9;e '"/>
  <xsl:variable name="quit-fillers" select="' since in on for at age x smoking tobacco cigarettes drinking alcohol year years yrs yr month months ago seit jahren desde hace a&#xF1;os depuis ans '"/>
  <xsl:variable name="not-quit" select="' to not never cannot wants ready trying unable will must should would advised nicht no non pas '"/>
  <!-- Examinations, screening and immunization. -->
  <xsl:variable name="visit-codes" select="'|z00|z01|z02|z03|z04|z05|z08|z09|z10|z11|z12|z13|z23|'"/>
  <xsl:template name="dated-by-name">
    <xsl:param name="names"/>
    <xsl:variable name="found">
      <xsl:for-each select="$names">
        <xsl:variable name="spoken"><xsl:call-template name="plain-words"><xsl:with-param name="words" select="."/></xsl:call-template></xsl:variable>
        <xsl:variable name="parts" select="str:tokenize($spoken, ' ,;:()[]/.*–—')"/>
        <xsl:variable name="year" select="$parts[string-length() = 4][. &gt; 1900 and . &lt; 2100]"/>
        <xsl:variable name="quit" select="$parts[contains($quit-words, concat(' ', ., ' '))][last()]"/>
        <xsl:variable name="event" select="$parts[contains($event-words, concat(' ', ., ' ')) or substring(., string-length() - 4) = 'ctomy' or substring(., string-length() - 5) = 'plasty' or substring(., string-length() - 5) = 'ktomie']"/>
        <xsl:choose>
          <xsl:when test="contains($death-words, concat('|', translate($spoken, '.', ''), '|'))">event </xsl:when>
          <xsl:when test="contains($visit-codes, concat('|', substring-before(concat($spoken, '.'), '.'), '|')) or $words[contains($begins, concat('|visit-reason ', substring($spoken, 1, 3), '|'))]/visit-reason[starts-with($spoken, @begins)]">event </xsl:when>
          <xsl:when test="$quit and not($quit/following-sibling::*[not(contains($quit-fillers, concat(' ', ., ' ')) or translate(., '0123456789-', '') = '')] or contains($not-quit, concat(' ', $quit/preceding-sibling::*[1], ' ')))">event </xsl:when>
          <xsl:when test="$year and not($parts[contains($lasting-words, concat(' ', ., ' '))] or $words/back-again[contains($spoken, .)] or contains($spoken, ' to be '))"><xsl:value-of select="concat(substring('event', 1, 5 * boolean($event)), substring('year', 1, 4 * not($event)), ' ')"/></xsl:when>
        </xsl:choose>
      </xsl:for-each>
    </xsl:variable>
    <xsl:value-of select="substring-before($found, ' ')"/>
  </xsl:template>

  <!-- The name of a problem, which says that it was there once, also where only other words beside it do. -->
  <xsl:template name="named-bygone">
    <xsl:param name="name"/>
    <xsl:param name="bygone"/>
    <xsl:variable name="title" select="$name[@name = 'name_title']"/>
    <xsl:variable name="own"><xsl:call-template name="bygone-by-words"><xsl:with-param name="names" select="$title"/></xsl:call-template></xsl:variable>
    <xsl:copy-of select="$name[not(@name = 'name_title')]"/>
    <Field name="name_title"><xsl:value-of select="concat(substring('History of: ', 1, 12 * ($bygone != '' and $own = '')), $title)"/></Field>
  </xsl:template>

  <xsl:variable name="loinc-uri" select="'http://purl.bioontology.org/ontology/LNC/'"/>
  <xsl:variable name="snomed-uri" select="'http://purl.bioontology.org/ontology/SNOMEDCT/'"/>
  <xsl:variable name="list-uri" select="'http://smartplatforms.org/terms/codes/'"/>
  <xsl:variable name="words" select="exsl:node-set($word-rows)"/>
  <!-- The known words of a code: look it up where $words is the current node. -->
  <xsl:key name="term" match="term" use="@code"/>
  <!-- Tables that are used for every field are searched as text: |code=title|code=title| is found much faster than a
       row. -->
  <xsl:variable name="term-rows"><xsl:for-each select="$words/term"><xsl:value-of select="concat('|', @code, '=', @title)"/></xsl:for-each>|</xsl:variable>
  <xsl:variable name="terms" select="string($term-rows)"/>
  <xsl:variable name="nothing-rows"><xsl:for-each select="$words/nothing"><xsl:value-of select="concat('|', @code, substring(concat(@words, @text), 1, 3))"/></xsl:for-each>|</xsl:variable>
  <xsl:variable name="nothings" select="string($nothing-rows)"/>
  <xsl:variable name="plain-rows"><xsl:for-each select="$words/plain"><xsl:value-of select="concat(' ', normalize-space())"/></xsl:for-each></xsl:variable>
  <xsl:variable name="plain" select="concat($plain-rows, ' ')"/>
  <xsl:variable name="column-rows"><xsl:for-each select="$words/column"><xsl:value-of select="concat('|', @name, '=', @max, ' ', @drop)"/></xsl:for-each>|</xsl:variable>
  <xsl:variable name="columns" select="string($column-rows)"/>
  <!-- With what the words of a kind end (four letters) and begin (three, or the first word of doubts): few texts do, and the
       rows need not be looked through for the others. -->
  <xsl:variable name="end-rows"><xsl:for-each select="$words/*[@ends]"><xsl:value-of select="concat('|', local-name(), ' ', substring(@ends, string-length(@ends) - 3))"/></xsl:for-each>|</xsl:variable>
  <xsl:variable name="ends" select="string($end-rows)"/>
  <xsl:variable name="begin-rows"><xsl:for-each select="$words/*[@begins]"><xsl:value-of select="concat('|', local-name(), ' ', substring(concat(@begins, ' '), 1, 3))"/></xsl:for-each>|</xsl:variable>
  <xsl:variable name="begins" select="string($begin-rows)"/>
  <xsl:variable name="doubt-rows"><xsl:for-each select="$words/doubtful"><xsl:value-of select="concat('|', substring-before(concat(@words, ' '), ' '))"/></xsl:for-each>|</xsl:variable>
  <xsl:variable name="doubts" select="string($doubt-rows)"/>
  <xsl:variable name="hold-rows"><xsl:for-each select="$words/hold"><xsl:value-of select="concat('|', substring(., 1, 3))"/></xsl:for-each>|</xsl:variable>
  <xsl:variable name="holds" select="string($hold-rows)"/>
  <!-- Words of which a text has one that says that a medicine is not taken. -->
  <xsl:variable name="untaken-rows"><xsl:for-each select="$words/untaken | $words/untaken-alone"><xsl:value-of select="concat(' ', substring-before(concat(., ' '), ' '))"/></xsl:for-each></xsl:variable>
  <xsl:variable name="untakens" select="concat($not-words, $stop-words, $untaken-rows, ' n nein false d c ')"/>
  <xsl:variable name="word-rows">
    <!-- Why something is left out. -->
    <reason code="no_code">there is neither a code nor a word for what it is</reason>
    <reason code="no_date">it has no date that can be used</reason>
    <reason code="odd_date">a date in it does not exist or lies outside of 1800 to 2199, and counts for nothing</reason>
    <reason code="no_value">it has no value that can be used</reason>
    <reason code="negated">it says that this is not so, or was not done</reason>
    <reason code="unreadable_negation">it does not say clearly whether it is so or not so</reason>
    <reason code="entered_in_error">the sender took it back as an error, or calls it one, a duplicate or a test</reason>
    <reason code="cancelled">it was cancelled before there was a result</reason>
    <reason code="planned">it is planned or proposed and has not happened</reason>
    <reason code="no_information">the sender says that there is no information</reason>
    <reason code="other_person">it is about another person</reason>
    <reason code="repeated">the same statement stands there once more</reason>
    <reason code="older_version">a newer version of it stands in the same document</reason>
    <reason code="panel">it only holds other results together, which count for themselves</reason>
    <reason code="narrative_only">it is text without entries, which is read in the document</reason>
    <reason code="not_structured">the document has no parts that can be read one by one</reason>
    <reason code="not_supported">no report holds this kind of statement</reason>
    <reason code="no_medication">the medication that it belongs to was left out</reason>
    <reason code="modifier_extension">an extension changes its meaning in a way that is not known here</reason>
    <reason code="no_category">it does not say what kind of observation it is</reason>
    <reason code="more_pages">this is one page of several</reason>
    <reason code="mended_western">it is not in UTF-8, and was read as Windows-1252: check letters with accents</reason>
    <reason code="sender_warning">the sender warns that something is missing or went wrong</reason>
    <reason code="inside">it is a file inside of the document, and can be opened there</reason>
    <reason code="contained">it stands inside of another entry, which does not say that it counts for itself</reason>
    <reason code="document_inside">it is a document of its own inside of this one: save it or open it there, and read it by itself</reason>

    <!-- Titles of codes, whatever their system, so that one thing always has the same word. -->
    <term code="active" title="Active"/>
    <term code="55561003" title="Active"/>
    <term code="inactive" title="Inactive"/>
    <term code="73425007" title="Inactive"/>
    <term code="392521001" title="Inactive"/>
    <term code="resolved" title="Resolved"/>
    <term code="413322009" title="Resolved"/>
    <term code="recurrence" title="Recurrence"/>
    <term code="246455001" title="Recurrence"/>
    <term code="relapse" title="Relapse"/>
    <term code="263855007" title="Relapse"/>
    <term code="remission" title="Remission"/>
    <term code="277022003" title="Remission"/>
    <term code="problem-list-item" title="Problem list item"/>
    <term code="encounter-diagnosis" title="Encounter diagnosis"/>
    <term code="health-concern" title="Health concern"/>
    <term code="unconfirmed" title="Unconfirmed"/>
    <term code="provisional" title="Provisional"/>
    <term code="differential" title="Differential"/>
    <term code="confirmed" title="Confirmed"/>
    <term code="refuted" title="Refuted"/>
    <term code="on-hold" title="On hold"/>
    <term code="suspended" title="On hold"/>
    <term code="421139008" title="On hold"/>
    <term code="held" title="On hold"/>
    <term code="stopped" title="Stopped"/>
    <term code="aborted" title="Stopped"/>
    <term code="completed" title="Completed"/>
    <term code="cancelled" title="Cancelled"/>
    <term code="obsolete" title="Obsolete"/>
    <term code="declined" title="Declined"/>
    <term code="draft" title="Draft"/>
    <term code="new" title="New"/>
    <term code="normal" title="Normal"/>
    <term code="intended" title="Intended"/>
    <term code="order" title="Order"/>
    <term code="original-order" title="Original order"/>
    <term code="reflex-order" title="Reflex order"/>
    <term code="filler-order" title="Filler order"/>
    <term code="instance-order" title="Instance order"/>
    <term code="plan" title="Plan"/>
    <term code="not-taken" title="Not taken"/>
    <term code="not-done" title="Not done"/>
    <term code="in-progress" title="In progress"/>
    <term code="preparation" title="In preparation"/>
    <term code="arrived" title="Arrived"/>
    <term code="triaged" title="Triaged"/>
    <term code="onleave" title="On leave"/>
    <term code="finished" title="Finished"/>
    <term code="unknown" title="Unknown"/>
    <term code="registered" title="Registered"/>
    <term code="partial" title="Partial"/>
    <term code="appended" title="Appended"/>
    <term code="preliminary" title="Preliminary"/>
    <term code="final" title="Final"/>
    <term code="amended" title="Amended"/>
    <term code="corrected" title="Corrected"/>
    <term code="health-unknown" title="Health unknown"/>
    <term code="proposed" title="Proposed"/>
    <term code="planned" title="Planned"/>
    <term code="accepted" title="Accepted"/>
    <term code="rejected" title="Rejected"/>
    <term code="revoked" title="Revoked"/>
    <term code="not-started" title="Not started"/>
    <term code="scheduled" title="Scheduled"/>
    <term code="improving" title="Improving"/>
    <term code="worsening" title="Worsening"/>
    <term code="no-change" title="No change"/>
    <term code="achieved" title="Achieved"/>
    <term code="sustaining" title="Sustaining"/>
    <term code="not-achieved" title="Not achieved"/>
    <term code="no-progress" title="No progress"/>
    <term code="not-attainable" title="Not attainable"/>
    <term code="proposal" title="Proposal"/>
    <term code="option" title="Option"/>
    <term code="directive" title="Directive"/>
    <term code="MTH" title="Mother"/>
    <term code="NMTH" title="Natural mother"/>
    <term code="FTH" title="Father"/>
    <term code="NFTH" title="Natural father"/>
    <term code="PRN" title="Parent"/>
    <term code="BRO" title="Brother"/>
    <term code="NBRO" title="Natural brother"/>
    <term code="HBRO" title="Half-brother"/>
    <term code="SIS" title="Sister"/>
    <term code="NSIS" title="Natural sister"/>
    <term code="HSIS" title="Half-sister"/>
    <term code="SIB" title="Sibling"/>
    <term code="SON" title="Son"/>
    <term code="DAU" title="Daughter"/>
    <term code="DAUC" title="Daughter"/>
    <term code="CHILD" title="Child"/>
    <term code="NCHILD" title="Natural child"/>
    <term code="GRMTH" title="Grandmother"/>
    <term code="GRFTH" title="Grandfather"/>
    <term code="GRPRN" title="Grandparent"/>
    <term code="MGRMTH" title="Maternal grandmother"/>
    <term code="MGRFTH" title="Maternal grandfather"/>
    <term code="PGRMTH" title="Paternal grandmother"/>
    <term code="PGRFTH" title="Paternal grandfather"/>
    <term code="AUNT" title="Aunt"/>
    <term code="MAUNT" title="Maternal aunt"/>
    <term code="PAUNT" title="Paternal aunt"/>
    <term code="UNCLE" title="Uncle"/>
    <term code="MUNCLE" title="Maternal uncle"/>
    <term code="PUNCLE" title="Paternal uncle"/>
    <term code="COUSN" title="Cousin"/>
    <term code="NIECE" title="Niece"/>
    <term code="NEPHEW" title="Nephew"/>
    <term code="SPS" title="Spouse"/>
    <term code="HUSB" title="Husband"/>
    <term code="WIFE" title="Wife"/>
    <term code="FAMMEMB" title="Family member"/>
    <term code="low" title="Low"/>
    <term code="high" title="High"/>
    <term code="unable-to-assess" title="Unable to assess"/>
    <term code="CRITL" title="Low"/>
    <term code="CRITH" title="High"/>
    <term code="CRITU" title="Unable to assess"/>
    <term code="mild" title="Mild"/>
    <term code="255604002" title="Mild"/>
    <term code="moderate" title="Moderate"/>
    <term code="6736007" title="Moderate"/>
    <term code="severe" title="Severe"/>
    <term code="24484000" title="Severe"/>
    <term code="442452003" title="Life threatening"/>
    <term code="399166001" title="Fatal"/>
    <term code="416098002" title="Drug allergy"/>
    <term code="414285001" title="Food allergy"/>
    <term code="426232007" title="Environmental allergy"/>
    <term code="419199007" title="Allergy to substance"/>
    <term code="59037007" title="Drug intolerance"/>
    <term code="235719002" title="Food intolerance"/>
    <term code="160244002" title="No known allergies"/>
    <term code="409137002" title="No known history of drug allergy"/>
    <term code="429625007" title="No known food allergy"/>
    <term code="428607008" title="No known environmental allergy"/>
    <term code="716184000" title="No known latex allergy"/>
    <term code="1003774007" title="No known latex allergy"/>
    <term code="716220001" title="No known animal allergy"/>
    <term code="428197003" title="No known insect allergy"/>
    <term code="N" title="Normal"/>
    <term code="A" title="Abnormal"/>
    <term code="H" title="High"/>
    <term code="L" title="Low"/>
    <term code="HU" title="Significantly high"/>
    <term code="LU" title="Significantly low"/>
    <term code="&gt;" title="Off scale high"/>
    <term code="&lt;" title="Off scale low"/>
    <term code="HX" title="Above high threshold"/>
    <term code="LX" title="Below low threshold"/>
    <term code="AA" title="Critical abnormal"/>
    <term code="HH" title="Critical high"/>
    <term code="LL" title="Critical low"/>
    <term code="POS" title="Positive"/>
    <term code="NEG" title="Negative"/>
    <term code="DET" title="Detected"/>
    <term code="ND" title="Not detected"/>
    <term code="IND" title="Indeterminate"/>
    <term code="S" title="Susceptible"/>
    <term code="I" title="Intermediate"/>
    <term code="R" title="Resistant"/>
    <term code="72166-2" title="Tobacco smoking status"/>
    <term code="11367-0" title="History of Tobacco use"/>
    <term code="74013-4" title="Alcoholic drinks per day"/>
    <term code="11331-6" title="History of Alcohol use"/>
    <term code="449868002" title="Smokes tobacco daily"/>
    <term code="428041000124106" title="Occasional tobacco smoker"/>
    <term code="428071000124103" title="Heavy tobacco smoker"/>
    <term code="428061000124105" title="Light tobacco smoker"/>
    <term code="77176002" title="Smoker, current status unknown"/>
    <term code="8517006" title="Former smoker"/>
    <term code="266919005" title="Never smoked tobacco"/>
    <term code="266927001" title="Tobacco smoking consumption unknown"/>
    <term code="33586001" title="Sitting"/>
    <term code="10904000" title="Standing"/>
    <term code="40199007" title="Supine"/>
    <term code="368208006" title="Left arm"/>
    <term code="368209003" title="Right arm"/>
    <term code="61396006" title="Left thigh"/>
    <term code="11207009" title="Right thigh"/>
    <term code="auscultation" title="Auscultation"/>
    <term code="palpation" title="Palpation"/>
    <term code="invasive" title="Invasive"/>
    <term code="ambulatory" title="Ambulatory encounter"/>
    <term code="emergency" title="Emergency encounter"/>
    <term code="inpatient" title="Inpatient encounter"/>
    <term code="home" title="Home encounter"/>
    <term code="field" title="Field encounter"/>
    <term code="virtual" title="Virtual encounter"/>
    <term code="prescription" title="Prescription"/>
    <term code="administration" title="Administration"/>
    <term code="fulfillment" title="Fulfillment"/>
    <term code="patientReport" title="Patient report"/>
    <term code="doseGiven" title="Dose given"/>
    <term code="partialDose" title="Partial dose"/>
    <term code="notAdministered" title="Not administered"/>
    <term code="documentedImmunityOrPreviousDisease" title="Documented immunity or previous disease"/>
    <term code="contraindicated" title="Contraindicated"/>
    <term code="vaccineUnavailable" title="Vaccine unavailable"/>
    <term code="patientOrParentRefused" title="Patient or parent refused"/>
    <term code="IMMUNE" title="Immunity"/>
    <term code="MEDPREC" title="Medical precaution"/>
    <term code="OSTOCK" title="Product out of stock"/>
    <term code="PATOBJ" title="Patient objection"/>
    <term code="PHILISOP" title="Philosophical objection"/>
    <term code="RELIG" title="Religious objection"/>
    <term code="VACEFF" title="Vaccine efficacy concerns"/>
    <term code="VACSAF" title="Vaccine safety concerns"/>

    <!-- ActReason to the model's reasons for not giving a vaccine. -->
    <refusal from="IMMUNE" to="documentedImmunityOrPreviousDisease"/>
    <refusal from="MEDPREC" to="contraindicated"/>
    <refusal from="OSTOCK" to="vaccineUnavailable"/>
    <refusal from="PATOBJ" to="patientOrParentRefused"/>
    <refusal from="PHILISOP" to="patientOrParentRefused"/>
    <refusal from="RELIG" to="patientOrParentRefused"/>
    <refusal from="VACEFF" to="patientOrParentRefused"/>
    <refusal from="VACSAF" to="patientOrParentRefused"/>

    <!-- Words of a procedure by which a device is taken out again. -->
    <removal>remov</removal>
    <removal>explant</removal>
    <removal>extraction</removal>
    <removal>taking out</removal>
    <removal>entfern</removal>
    <removal>retirada</removal>
    <removal>extracci</removal>
    <removal>retrait</removal>
    <removal>ablation de</removal>
    <removal>rimozione</removal>
    <removal>إزالة</removal>

    <!-- Clauses that say that a medicine is not taken without a word for "take". -->
    <!-- What follows such a clause where it is only until then, and where it is for good. -->
    <resuming> be resumed </resuming>
    <resuming> be restarted </resuming>
    <resuming> will take it again </resuming>
    <resuming> will start again </resuming>
    <resuming> wird wieder </resuming>
    <resuming> soll wieder </resuming>
    <resuming> reanudará </resuming>
    <resuming> va a reanudar </resuming>
    <resuming> para reanudar </resuming>
    <resuming> resume </resuming>
    <resuming> restart </resuming>
    <not-resuming>not resume</not-resuming>
    <not-resuming>not restart</not-resuming>
    <not-resuming>not be resumed</not-resuming>
    <not-resuming>not be restarted</not-resuming>
    <not-resuming>refuses to </not-resuming>
    <not-resuming>nicht wieder</not-resuming>
    <not-resuming>no reanud</not-resuming>
    <untaken-alone>do not take</untaken-alone>
    <untaken-alone>do not give</untaken-alone>
    <untaken-alone>do not use</untaken-alone>
    <untaken-alone>avoid</untaken-alone>
    <untaken-alone>contraindicated</untaken-alone>
    <untaken-alone>rx not given</untaken-alone>
    <untaken-alone>prescription not given</untaken-alone>
    <untaken-alone>vermeiden</untaken-alone>
    <untaken-alone>kontraindiziert</untaken-alone>
    <untaken-alone>nicht anwenden</untaken-alone>
    <untaken-alone>evitar</untaken-alone>
    <untaken-alone>contraindicado</untaken-alone>
    <untaken-alone>no usar</untaken-alone>
    <untaken-alone>éviter</untaken-alone>
    <untaken-alone>contre-indiqué</untaken-alone>
    <untaken-alone>finished</untaken-alone>
    <untaken-alone>course finished</untaken-alone>
    <untaken-alone>course completed</untaken-alone>
    <untaken-alone>completed course</untaken-alone>
    <untaken-alone>treatment completed</untaken-alone>
    <untaken-alone>therapy completed</untaken-alone>
    <untaken-alone>no longer needed</untaken-alone>
    <untaken-alone>no longer active</untaken-alone>
    <untaken-alone>inactive</untaken-alone>
    <untaken-alone>patient declined</untaken-alone>
    <untaken-alone>declined by patient</untaken-alone>
    <untaken-alone>declined</untaken-alone>
    <untaken-alone>patient refused</untaken-alone>
    <untaken-alone>refused by patient</untaken-alone>
    <untaken-alone>never picked up</untaken-alone>
    <untaken-alone>never filled</untaken-alone>
    <untaken-alone>beendet</untaken-alone>
    <untaken-alone>therapie beendet</untaken-alone>
    <untaken-alone>nicht mehr nötig</untaken-alone>
    <untaken-alone>nicht einnehmen</untaken-alone>
    <untaken-alone>vom patienten abgelehnt</untaken-alone>
    <untaken-alone>no tomar</untaken-alone>
    <untaken-alone>tratamiento terminado</untaken-alone>
    <untaken-alone>tratamiento finalizado</untaken-alone>
    <untaken-alone>rechazado por el paciente</untaken-alone>
    <untaken-alone>ne pas prendre</untaken-alone>
    <untaken-alone>traitement terminé</untaken-alone>
    <untaken>not started</untaken>
    <untaken>not started yet</untaken>
    <untaken>not yet started</untaken>
    <untaken>noch nicht begonnen</untaken>
    <untaken>never started</untaken>
    <untaken>did not start</untaken>
    <untaken>has not started</untaken>
    <untaken>self discontinued</untaken>
    <untaken>patient discontinued</untaken>
    <untaken>discontinued by patient</untaken>
    <untaken>patient stopped</untaken>
    <untaken>vom patienten abgesetzt</untaken>
    <untaken>selbst abgesetzt</untaken>
    <untaken>suspendido por el paciente</untaken>

    <!-- How somebody writes that a problem was there once. -->
    <!-- How the name of a problem begins that is the reason for a visit. -->
    <visit-reason begins="encounter for "/>
    <visit-reason begins="encounter due to "/>
    <visit-reason begins="well child"/>
    <visit-reason begins="well-child"/>
    <visit-reason begins="well woman"/>
    <visit-reason begins="well adult"/>
    <visit-reason begins="well baby"/>
    <visit-reason begins="routine "/>
    <visit-reason begins="annual physical"/>
    <visit-reason begins="annual exam"/>
    <visit-reason begins="annual wellness"/>
    <visit-reason begins="annual visit"/>
    <visit-reason begins="general medical exam"/>
    <visit-reason begins="screening for "/>
    <visit-reason begins="screening exam"/>
    <visit-reason begins="screening mammogram"/>
    <visit-reason begins="screening colonoscopy"/>
    <visit-reason begins="preventive care"/>
    <visit-reason begins="preventive health"/>
    <visit-reason begins="need for prophylactic vacc"/>
    <visit-reason begins="need for vacc"/>
    <visit-reason begins="need for immun"/>
    <visit-reason begins="health maintenance"/>
    <visit-reason begins="sports physical"/>
    <visit-reason begins="office visit"/>
    <visit-reason begins="follow-up visit"/>
    <visit-reason begins="medication refill"/>
    <visit-reason begins="vorsorgeuntersuchung"/>
    <visit-reason begins="früherkennungsuntersuchung"/>
    <visit-reason begins="allgemeinuntersuchung"/>
    <visit-reason begins="kontrolluntersuchung"/>
    <visit-reason begins="notwendigkeit der impfung"/>
    <visit-reason begins="control de niño sano"/>
    <visit-reason begins="control de salud"/>
    <visit-reason begins="examen médico general"/>
    <visit-reason begins="revisión anual"/>
    <visit-reason begins="examen médical général"/>
    <visit-reason begins="visite de routine"/>
    <visit-reason begins="bilan de santé"/>
    <visit-reason begins="فحص دوري"/>
    <visit-reason begins="فحص عام"/>
    <bygone begins="h/o"/>
    <bygone begins="no longer has"/>
    <bygone begins="outgrew"/>
    <bygone begins="ex-smoker"/>
    <bygone begins="ex smoker"/>
    <bygone begins="exraucher"/>
    <bygone begins="ex-raucher"/>
    <bygone begins="exfumador"/>
    <bygone begins="exfumadora"/>
    <bygone ends=" as a child"/>
    <bygone ends="(as a child)"/>
    <bygone ends=" in childhood"/>
    <bygone ends=" als kind"/>
    <bygone ends=" en la infancia"/>
    <bygone begins="hx"/>
    <bygone begins="hx of"/>
    <bygone begins="hist of"/>
    <bygone begins="hist. of"/>
    <bygone begins="hist."/>
    <bygone begins="previous"/>
    <bygone begins="prior"/>
    <bygone begins="former"/>
    <bygone begins="remote"/>
    <bygone begins="pmh"/>
    <bygone begins="pmhx"/>
    <bygone begins="pmh of"/>
    <bygone begins="history of"/>
    <bygone begins="past history"/>
    <bygone begins="past hx"/>
    <bygone begins="prior history"/>
    <bygone begins="prior hx"/>
    <bygone begins="previous history"/>
    <bygone begins="personal history"/>
    <bygone begins="past medical history"/>
    <bygone begins="medical history of"/>
    <bygone begins="remote history"/>
    <bygone begins="remote hx"/>
    <bygone begins="s/p"/>
    <bygone begins="status post"/>
    <bygone begins="status-post"/>
    <bygone begins="z.n."/>
    <bygone begins="z. n."/>
    <bygone begins="zustand nach"/>
    <bygone begins="st.p."/>
    <bygone begins="st. p."/>
    <bygone begins="status nach"/>
    <bygone begins="anamnestisch"/>
    <bygone begins="vorgeschichte"/>
    <bygone begins="antecedente de"/>
    <bygone begins="antecedentes de"/>
    <bygone begins="antecedentes"/>
    <bygone begins="antecedente personal"/>
    <bygone begins="historia de"/>
    <bygone begins="historial de"/>
    <bygone begins="estado post"/>
    <bygone begins="antécédent de"/>
    <bygone begins="antécédent d"/>
    <bygone begins="antécédents de"/>
    <bygone begins="antécédents d"/>
    <bygone begins="antécédents"/>
    <bygone begins="atcd"/>
    <bygone begins="atcd de"/>
    <bygone begins="status na"/>
    <bygone begins="voorgeschiedenis"/>
    <bygone begins="tidligere"/>
    <bygone begins="tidigare"/>
    <bygone begins="stan po"/>
    <bygone marked="vg:"/>
    <bygone begins="pregressa"/>
    <bygone begins="pregresso"/>
    <bygone begins="storia di"/>
    <bygone begins="storia clinica di"/>
    <bygone begins="سوابق"/>
    <bygone begins="سابقة"/>
    <bygone begins="تاريخ مرضي"/>
    <bygone begins="تاريخ من"/>
    <bygone marked="ap:"/>
    <bygone marked="app:"/>
    <bygone marked="anamnese:"/>
    <bygone ends="(history of)"/>
    <bygone ends=", history of"/>
    <bygone ends="- history of"/>
    <bygone ends="(h/o)"/>
    <bygone ends=", h/o"/>
    <bygone ends="(hx)"/>
    <bygone ends="(past history)"/>
    <bygone ends="in der vorgeschichte"/>
    <bygone ends="in der anamnese"/>
    <bygone ends="(anamnestisch)"/>
    <bygone ends=", anamnestisch"/>
    <bygone ends="(antecedente)"/>
    <bygone ends="(antecedentes)"/>
    <bygone ends="como antecedente"/>

    <!-- How somebody writes that a medicine is not to be taken any more, where nothing else stands there. -->
    <stopped begins="stop "/>
    <stopped begins="stop: "/>
    <stopped begins="stopped "/>
    <stopped begins="stopped: "/>
    <stopped begins="discontinue "/>
    <stopped begins="discontinued "/>
    <stopped begins="discontinued: "/>
    <stopped begins="do not take "/>
    <stopped begins="abgesetzt: "/>
    <stopped begins="suspendido: "/>
    <stopped ends="(discontinued)"/>
    <stopped ends="- discontinued"/>
    <stopped ends="(stopped)"/>
    <stopped ends="- stopped"/>
    <stopped ends=": stopped"/>
    <stopped ends=": do not take"/>
    <stopped ends="- do not take"/>
    <stopped ends="(do not take)"/>
    <stopped ends="(abgesetzt)"/>
    <stopped ends="- abgesetzt"/>
    <stopped ends=": abgesetzt"/>
    <stopped ends="(suspendido)"/>
    <stopped ends="- suspendido"/>
    <stopped begins="historical: "/>
    <stopped begins="past: "/>
    <stopped begins="former: "/>
    <stopped begins="formerly: "/>
    <stopped begins="previous: "/>
    <stopped begins="previously on"/>
    <stopped begins="d/c "/>
    <stopped begins="d/c'd "/>
    <stopped begins="d/c: "/>
    <stopped begins="do not give "/>
    <stopped begins="früher: "/>
    <stopped begins="beendet: "/>
    <stopped begins="anterior: "/>
    <stopped begins="anteriormente: "/>
    <stopped ends="(d/c)"/>
    <stopped ends="(d/c'd)"/>
    <stopped ends="(dc'd)"/>
    <stopped ends="- d/c"/>
    <stopped ends="(past)"/>
    <stopped ends="(old)"/>
    <stopped ends="(historical)"/>
    <stopped ends="(completed)"/>
    <stopped ends="- completed"/>
    <stopped ends=" not taking"/>
    <stopped ends=" not-taking"/>
    <stopped ends=" no longer taking"/>
    <stopped ends="(former)"/>
    <stopped ends="(früher)"/>
    <stopped ends="(beendet)"/>
    <stopped ends="(finalizado)"/>
    <stopped ends="(anterior)"/>
    <stopped begins="avoid "/>
    <stopped begins="allergic to "/>
    <stopped begins="intolerance: "/>
    <stopped begins="intolerance to "/>
    <stopped begins="intolerant of "/>
    <stopped begins="failed "/>
    <stopped begins="expired: "/>
    <stopped begins="old rx"/>
    <stopped begins="old: "/>
    <stopped begins="past medication"/>
    <stopped begins="past med: "/>
    <stopped begins="completed: "/>
    <stopped begins="finished: "/>
    <stopped begins="given in er"/>
    <stopped begins="given in the er"/>
    <stopped begins="given in ed"/>
    <stopped begins="vermeiden: "/>
    <stopped begins="unverträglich: "/>
    <stopped begins="evitar "/>
    <stopped begins="alérgico a "/>
    <stopped begins="alérgica a "/>
    <stopped ends=" taken off"/>
    <stopped ends="(completed course)"/>
    <stopped ends=" course completed"/>
    <stopped ends=" finished"/>
    <stopped ends="(finished)"/>
    <stopped ends="(expired)"/>
    <stopped ends="- expired"/>
    <stopped ends=" contraindicated"/>
    <stopped ends="(contraindicated)"/>
    <stopped ends="(patient declined)"/>
    <stopped ends="- patient declined"/>
    <stopped ends="- declined"/>
    <stopped ends="(declined)"/>
    <stopped ends="- patient refused"/>
    <stopped ends="- refused"/>
    <stopped ends="(refused)"/>
    <stopped ends="denied by insurance"/>
    <stopped ends="denied by insurance)"/>
    <stopped ends="not covered"/>
    <stopped ends="not covered)"/>
    <stopped ends="(failed)"/>
    <stopped ends=" allergy"/>
    <stopped ends=" allergie"/>
    <stopped ends=" alergia"/>
    <stopped ends="- pt refuses"/>
    <stopped ends="- patient refuses"/>
    <stopped ends=" refuses"/>
    <stopped ends="(refuses)"/>
    <stopped ends="- failed"/>
    <stopped ends="(abgelehnt)"/>
    <stopped ends="- abgelehnt"/>
    <stopped ends="(kontraindiziert)"/>
    <stopped ends="(contraindicado)"/>
    <stopped ends="(rechazado)"/>
    <!-- How the title of a list begins that has what is over. -->
    <past-list>discontinued med</past-list>
    <past-list>stopped med</past-list>
    <past-list>stop taking</past-list>
    <past-list>inactive med</past-list>
    <past-list>past medication</past-list>
    <past-list>past meds</past-list>
    <past-list>past medicine</past-list>
    <past-list>previous med</past-list>
    <past-list>medications discontinued</past-list>
    <past-list>medications stopped</past-list>
    <past-list>medications you should stop</past-list>
    <past-list>abgesetzte med</past-list>
    <past-list>frühere med</past-list>
    <past-list>medicamentos suspendidos</past-list>
    <past-list>medicamentos anteriores</past-list>
    <past-list>medicación suspendida</past-list>
    <past-list>medicación anterior</past-list>
    <past-list>resolved problem</past-list>
    <past-list>resolved condition</past-list>
    <past-list>inactive problem</past-list>
    <past-list>inactive condition</past-list>
    <past-list>past problem</past-list>
    <past-list>past condition</past-list>
    <past-list>historical problem</past-list>
    <past-list>historical condition</past-list>
    <past-list>historical diagnos</past-list>
    <past-list>resolved diagnos</past-list>
    <past-list>inactive diagnos</past-list>
    <past-list>inaktive </past-list>
    <past-list>problèmes résolus</past-list>
    <past-list>problèmes inactifs</past-list>
    <past-list>problemi risolti</past-list>
    <past-list>problemas resolvidos</past-list>
    <past-list>behobene </past-list>
    <past-list>frühere </past-list>
    <past-list>problemas resueltos</past-list>
    <past-list>problemas inactivos</past-list>
    <past-list>resolved allerg</past-list>
    <past-list>inactive allerg</past-list>
    <past-list>past allerg</past-list>
    <past-list>alergias resueltas</past-list>
    <past-list>alergias inactivas</past-list>
    <past-list>historical allerg</past-list>
    <!-- How the title of a list begins that has what somebody once had. -->
    <history-list>past medical history </history-list>
    <history-list>past medical hx </history-list>
    <history-list>past history </history-list>
    <history-list>past illness</history-list>
    <history-list>pmh </history-list>
    <history-list>pmhx </history-list>
    <history-list>history of past </history-list>
    <history-list>history of illness</history-list>
    <history-list>past surgical history </history-list>
    <history-list>vorgeschichte </history-list>
    <history-list>antecedentes personales </history-list>
    <history-list>antecedentes patológicos </history-list>
    <history-list>antécédents personnels </history-list>
    <history-list>anamnesi patologica remota </history-list>
    <history-list>voorgeschiedenis </history-list>
    <history-list>السوابق المرضية </history-list>
    <!-- How the title of a list begins that has what was given then. -->
    <given-list>medications administered</given-list>
    <given-list>medication administered</given-list>
    <given-list>medications: administered</given-list>
    <given-list>meds administered</given-list>
    <given-list>medicines administered</given-list>
    <given-list>drugs administered</given-list>
    <given-list>administered med</given-list>
    <given-list>administered drug</given-list>
    <given-list>medications given</given-list>
    <given-list>meds given</given-list>
    <given-list>medicines given</given-list>
    <given-list>discharged medications given</given-list>
    <given-list>discharge medications given</given-list>
    <given-list>inpatient medications given</given-list>
    <given-list>hospital medications given</given-list>
    <given-list>medications received</given-list>
    <given-list>verabreichte med</given-list>
    <given-list>verabreichte arznei</given-list>
    <given-list>gegebene med</given-list>
    <given-list>medicamentos administrados</given-list>
    <given-list>medicación administrada</given-list>
    <given-list>medicinas administradas</given-list>
    <given-list>الأدوية المعطاة</given-list>
    <given-list>الأدوية التي أعطيت</given-list>
    <!-- How somebody writes that a medicine is on hold. -->
    <hold alone="y">hold </hold>
    <hold alone="y">held </hold>
    <hold alone="y">holding </hold>
    <hold alone="y">paused </hold>
    <hold alone="y">medication on hold </hold>
    <hold alone="y">med on hold </hold>
    <hold>hold until </hold>
    <hold>hold till </hold>
    <hold>hold for now </hold>
    <hold>hold for surgery </hold>
    <hold>on hold </hold>
    <hold>was put on hold </hold>
    <hold>put on hold </hold>
    <hold>placed on hold </hold>
    <hold>holding until </hold>
    <hold>holding for now </hold>
    <hold>held until </hold>
    <hold>held for now </hold>
    <hold>currently on hold </hold>
    <hold>pausiert </hold>
    <hold>pausieren bis </hold>
    <hold>pause bis </hold>
    <hold>en pause </hold>
    <hold>mis en pause </hold>
    <hold>mise en pause </hold>
    <hold>suspendu jusqu</hold>
    <hold>suspendue jusqu</hold>
    <hold>in pausa </hold>
    <hold>sospeso fino </hold>
    <hold>sospesa fino </hold>
    <hold>tijdelijk gestopt </hold>
    <hold>gepauzeerd </hold>
    <hold>em pausa </hold>
    <hold>on pause </hold>
    <hold>paused until </hold>
    <hold>paused for </hold>
    <hold alone="y">suspendu </hold>
    <hold alone="y">suspendue </hold>
    <hold>en pausa </hold>
    <hold>suspender hasta </hold>
    <!-- How a text begins that only says who says it. -->
    <report>patient reports </report>
    <report>patient states </report>
    <report>patient says </report>
    <report>pt reports </report>
    <report>pt states </report>
    <report>per patient </report>
    <report>per pt </report>
    <report>patient gibt an: </report>
    <report>paciente refiere </report>
    <!-- How a text begins that denies what a person is. -->
    <denial>not a </denial>
    <denial>not an </denial>
    <denial>not </denial>
    <denial>non-</denial>
    <denial>non </denial>
    <denial>non</denial>
    <denial>is not </denial>
    <denial>patient is not a </denial>
    <denial>patient is not </denial>
    <denial>patient not </denial>
    <denial>pt is not </denial>
    <denial>pt not </denial>
    <denial>nicht </denial>
    <denial>kein </denial>
    <denial>keine </denial>
    <denial>no es </denial>
    <denial>no </denial>
    <denial>n'est pas </denial>
    <denial>pas </denial>
    <denial>non è </denial>
    <!-- Words by which a clause says that something holds only in a case. -->
    <provided> if </provided>
    <provided> when </provided>
    <provided> unless </provided>
    <provided> in case </provided>
    <provided> wenn </provided>
    <provided> falls </provided>
    <provided> bei </provided>
    <provided> si </provided>
    <provided> cuando </provided>
    <provided> en caso </provided>
    <provided> prn </provided>
    <!-- What is about the person, and not the medicine. -->
    <provided> smok</provided>
    <provided> drinking</provided>
    <provided> alcohol</provided>
    <provided> rauchen</provided>
    <provided> fumar</provided>
    <!-- How a clause begins that does not fit to a medicine that is taken now: `named` only that of a name, `first` only the
         first one, `alone` all of it, `and` and `without` what else is in it. -->
    <doubtful words="completed" and=" course "/>
    <doubtful words="finished" and=" course "/>
    <doubtful words="finished" and=" taper "/>
    <doubtful words="completed" and=" taper "/>
    <doubtful words="last dose" and="/20"/>
    <doubtful words="last dose" and=" 20"/>
    <doubtful words="last taken" and="20"/>
    <doubtful words="given in ed"/>
    <doubtful words="given in er"/>
    <doubtful words="given in the"/>
    <doubtful words="given in hospital"/>
    <doubtful words="given in clinic"/>
    <doubtful words="given in office"/>
    <doubtful words="will start" without=" with "/>
    <doubtful words="will begin" without=" with "/>
    <doubtful words="plan to start" without=" with "/>
    <doubtful words="plan to begin" without=" with "/>
    <doubtful words="plans to start" without=" with "/>
    <doubtful words="planning to start" without=" with "/>
    <doubtful words="planning to begin" without=" with "/>
    <doubtful words="going to start" without=" with "/>
    <doubtful words="about to start" without=" with "/>
    <doubtful words="may start" without=" with "/>
    <doubtful words="might start" without=" with "/>
    <doubtful words="start tomorrow"/>
    <doubtful words="starts tomorrow"/>
    <doubtful words="starting tomorrow"/>
    <doubtful words="begin tomorrow"/>
    <doubtful words="start next"/>
    <doubtful words="starts next"/>
    <doubtful words="starting next"/>
    <doubtful words="start after"/>
    <doubtful words="starts after"/>
    <doubtful words="starting after"/>
    <doubtful words="waiting to start"/>
    <doubtful words="not begun"/>
    <doubtful words="not yet begun"/>
    <doubtful words="not yet taking"/>
    <doubtful words="has not begun"/>
    <doubtful words="awaiting approval"/>
    <doubtful words="awaiting prior auth"/>
    <doubtful words="awaiting insurance"/>
    <doubtful words="awaiting delivery"/>
    <doubtful words="awaiting start"/>
    <doubtful words="waiting for insurance"/>
    <doubtful words="waiting for approval"/>
    <doubtful words="waiting for delivery"/>
    <doubtful words="pending approval"/>
    <doubtful words="pending prior auth"/>
    <doubtful words="pending insurance"/>
    <doubtful words="pending start"/>
    <doubtful words="ran out"/>
    <doubtful words="run out"/>
    <doubtful words="out of medication"/>
    <doubtful words="never took"/>
    <doubtful words="never taken"/>
    <doubtful words="never started"/>
    <doubtful words="never filled"/>
    <doubtful words="never picked up"/>
    <doubtful words="not picked up"/>
    <doubtful words="not filled"/>
    <doubtful words="did not pick up"/>
    <doubtful words="did not fill"/>
    <doubtful words="replaced by"/>
    <doubtful words="replaced with"/>
    <doubtful words="tapered off"/>
    <doubtful words="weaned off"/>
    <doubtful words="off since"/>
    <doubtful words="off for"/>
    <doubtful words="taken off"/>
    <doubtful words="took himself off"/>
    <doubtful words="took herself off"/>
    <doubtful words="self stopped"/>
    <doubtful words="self-stopped"/>
    <doubtful words="plan to stop"/>
    <doubtful words="will stop taking"/>
    <doubtful words="not currently taking"/>
    <doubtful words="ab morgen"/>
    <doubtful words="beginnt morgen"/>
    <doubtful words="beginn nach"/>
    <doubtful words="soll begonnen werden"/>
    <doubtful words="noch nicht begonnen"/>
    <doubtful words="noch nicht eingenommen"/>
    <doubtful words="ersetzt durch"/>
    <doubtful words="ausgeschlichen"/>
    <doubtful words="empezará"/>
    <doubtful words="iniciará"/>
    <doubtful words="empezar mañana"/>
    <doubtful words="iniciar mañana"/>
    <doubtful words="por iniciar"/>
    <doubtful words="aún no"/>
    <doubtful words="todavía no"/>
    <doubtful words="sustituido por"/>
    <doubtful words="reemplazado por"/>
    <doubtful words="dejó"/>
    <doubtful words="commencer demain"/>
    <doubtful words="à débuter"/>
    <doubtful words="pas encore commencé"/>
    <doubtful words="remplacé par"/>
    <doubtful words="sostituito con"/>
    <doubtful words="vervangen door"/>
    <doubtful words="سيبدأ"/>
    <doubtful words="ستبدأ"/>
    <doubtful words="لم يبدأ"/>
    <doubtful words="لم تبدأ"/>
    <doubtful words="استبدل"/>
    <doubtful words="switched to" without=" mg"/>
    <doubtful words="umgestellt auf" without=" mg"/>
    <doubtful words="no longer" without=" than "/>
    <doubtful words="not tolerated" alone="y"/>
    <doubtful words="not tolerated well" alone="y"/>
    <doubtful words="did not tolerate" alone="y"/>
    <doubtful words="did not tolerate it" alone="y"/>
    <doubtful words="did not tolerate this" alone="y"/>
    <doubtful words="could not tolerate" alone="y"/>
    <doubtful words="could not tolerate it" alone="y"/>
    <doubtful words="unable to tolerate" alone="y"/>
    <doubtful words="unable to tolerate it" alone="y"/>
    <doubtful words="non-compliant" alone="y"/>
    <doubtful words="noncompliant" alone="y"/>
    <doubtful words="not compliant" alone="y"/>
    <doubtful words="nonadherent" alone="y"/>
    <doubtful words="non-adherent" alone="y"/>
    <doubtful words="not using" alone="y"/>
    <doubtful words="not using it" alone="y"/>
    <doubtful words="nicht vertragen" alone="y"/>
    <doubtful words="no tolera" alone="y"/>
    <doubtful words="no toleró" alone="y"/>
    <doubtful words="no tolerado" alone="y"/>
    <doubtful words="mal toléré" alone="y"/>
    <doubtful words="non tollerato" alone="y"/>
    <doubtful words="stop on" first="y" without=" after "/>
    <doubtful words="stop in" first="y" without=" after "/>
    <doubtful words="abgesetzt" alone="y"/>
    <doubtful words="suspendido" alone="y"/>
    <doubtful words="arrêté" alone="y"/>
    <doubtful words="considering" named="y"/>
    <doubtful words="consider" named="y"/>
    <doubtful words="thinking about" named="y"/>
    <doubtful words="planning" named="y"/>
    <doubtful words="planned" named="y"/>
    <doubtful words="plan to" named="y"/>
    <doubtful words="discuss" named="y"/>
    <doubtful words="discussed" named="y"/>
    <doubtful words="discussing" named="y"/>
    <doubtful words="recommend" named="y"/>
    <doubtful words="recommended" named="y"/>
    <doubtful words="proposed" named="y"/>
    <doubtful words="ask about" named="y"/>
    <doubtful words="wants" named="y"/>
    <doubtful words="interested in" named="y"/>
    <doubtful words="erwäge" named="y"/>
    <doubtful words="erwägen" named="y"/>
    <doubtful words="geplant" named="y"/>
    <doubtful words="empfohlen" named="y"/>
    <doubtful words="considerar" named="y"/>
    <doubtful words="valorar" named="y"/>
    <doubtful words="plantear" named="y"/>
    <doubtful words="envisager" named="y"/>
    <doubtful words="start" named="y" and=" tomorrow "/>
    <doubtful words="start" named="y" and=" next "/>
    <doubtful words="start" named="y" and=" after "/>
    <doubtful words="start" named="y" and=" once "/>
    <doubtful words="start" named="y" and=" monday "/>
    <doubtful words="start" named="y" and=" tuesday "/>
    <doubtful words="start" named="y" and=" wednesday "/>
    <doubtful words="start" named="y" and=" thursday "/>
    <doubtful words="start" named="y" and=" friday "/>
    <doubtful words="start" named="y" and=" saturday "/>
    <doubtful words="start" named="y" and=" sunday "/>
    <doubtful words="begin" named="y" and=" tomorrow "/>
    <doubtful words="begin" named="y" and=" next "/>
    <doubtful words="begin" named="y" and=" after "/>
    <doubtful words="begin" named="y" and=" once "/>
    <doubtful words="begin" named="y" and=" monday "/>
    <doubtful words="begin" named="y" and=" tuesday "/>
    <doubtful words="begin" named="y" and=" wednesday "/>
    <doubtful words="begin" named="y" and=" thursday "/>
    <doubtful words="begin" named="y" and=" friday "/>
    <doubtful words="begin" named="y" and=" saturday "/>
    <doubtful words="begin" named="y" and=" sunday "/>
    <held begins="on hold: "/>
    <held begins="on hold - "/>
    <held begins="on hold "/>
    <held begins="hold: "/>
    <held begins="hold - "/>
    <held begins="held: "/>
    <held begins="pausiert: "/>
    <held begins="en pausa: "/>
    <held begins="en espera: "/>
    <held ends="(hold)"/>
    <held ends="(on hold)"/>
    <held ends="(held)"/>
    <held ends="- hold"/>
    <held ends="- on hold"/>
    <held ends="- held"/>
    <held ends=", on hold"/>
    <held ends=", hold"/>
    <held ends="(pausiert)"/>
    <held ends="- pausiert"/>
    <held ends="(en pausa)"/>
    <held ends="(en espera)"/>
    <stop>stop</stop>
    <stop>stop taking</stop>
    <stop>stop taking this</stop>
    <stop>stop taking it</stop>
    <stop>stop taking this medicine</stop>
    <stop>stop taking this medication</stop>
    <stop>stop taking these medications</stop>
    <stop>stopped</stop>
    <stop>discontinue</stop>
    <stop>discontinued</stop>
    <stop>do not take</stop>
    <stop>do not take any more</stop>
    <stop>absetzen</stop>
    <stop>abgesetzt</stop>
    <stop>nicht mehr einnehmen</stop>
    <stop>suspender</stop>
    <stop>suspendido</stop>
    <stop>dejar de tomar</stop>
    <stop>no tomar más</stop>

    <!-- "No known allergies" and similar statements, as codes and as the first words of a text, with the exclusion that
         is meant. -->
    <exclusion code="160244002" to="160244002"/>
    <exclusion code="716186003" to="160244002"/>
    <exclusion code="409137002" to="409137002"/>
    <exclusion code="429625007" to="429625007"/>
    <exclusion code="428607008" to="428607008"/>
    <exclusion code="716184000" to="716184000"/>
    <exclusion code="716220001" to="716220001"/>
    <exclusion code="428197003" to="428197003"/>
    <exclusion code="1003774007" to="1003774007"/>
    <exclusion code="no-known-allergies" to="160244002"/>
    <exclusion code="no-known-medication-allergies" to="409137002"/>
    <exclusion code="no-known-food-allergies" to="429625007"/>
    <exclusion code="no-known-environmental-allergies" to="428607008"/>
    <exclusion words="no known drug" to="409137002"/>
    <exclusion words="no known medication" to="409137002"/>
    <exclusion words="nkda" to="409137002"/>
    <exclusion words="nkma" to="409137002"/>
    <exclusion words="nkfa" to="429625007"/>
    <exclusion words="no known food" to="429625007"/>
    <exclusion words="no known environmental" to="428607008"/>
    <exclusion words="no known latex" to="1003774007"/>
    <exclusion words="no known allerg" to="160244002"/>
    <exclusion words="no known active allerg" to="160244002"/>
    <exclusion words="no known adverse" to="160244002"/>
    <exclusion words="no active allerg" to="160244002"/>
    <exclusion words="no allerg" to="160244002"/>
    <exclusion words="patient has no known drug" to="409137002"/>
    <exclusion words="patient has no known allerg" to="160244002"/>
    <exclusion words="patient has no allerg" to="160244002"/>
    <exclusion words="keine allergien" to="160244002"/>
    <exclusion words="keine bekannten allergien" to="160244002"/>
    <exclusion words="aucune allergie" to="160244002"/>
    <exclusion words="pas d'allergie" to="160244002"/>
    <exclusion words="sin alergias" to="160244002"/>
    <exclusion words="geen allergie" to="160244002"/>
    <exclusion words="absence d'allergie" to="160244002"/>
    <exclusion words="absence de notion d'allergie" to="160244002"/>
    <exclusion words="ingen kendte allergi" to="160244002"/>
    <exclusion words="ingen kendt allergi" to="160244002"/>
    <exclusion words="ingen allergi" to="160244002"/>
    <exclusion words="ingen kjente allergi" to="160244002"/>
    <exclusion words="ingen kjent allergi" to="160244002"/>
    <exclusion words="inga kända allergi" to="160244002"/>
    <exclusion words="ingen känd allergi" to="160244002"/>
    <exclusion words="inga allergi" to="160244002"/>
    <exclusion words="brak alergii" to="160244002"/>
    <exclusion words="nie stwierdzono alergii" to="160244002"/>
    <exclusion words="geen bekende allergie" to="160244002"/>
    <exclusion words="non allergic" to="160244002"/>
    <exclusion words="nessuna allergia" to="160244002"/>
    <exclusion words="niega alergias" to="160244002"/>
    <exclusion words="no alergias" to="160244002"/>
    <exclusion words="nenhuma alergia" to="160244002"/>
    <exclusion words="sem alergias" to="160244002"/>
    <exclusion words="アレルギーなし" to="160244002"/>
    <exclusion words="アレルギー無し" to="160244002"/>
    <exclusion words="无已知过敏" to="160244002"/>
    <exclusion words="无过敏史" to="160244002"/>
    <exclusion words="알레르기 없음" to="160244002"/>
    <exclusion words="nka" to="160244002"/>
    <exclusion words="none known" to="160244002"/>
    <!-- All words that a plain statement of this kind is made of, and those that name one kind. A text with any other word
         says more than the code does. -->
    <plain>no not known drug drugs medication medications medicine medicines nkda nkma nkfa nka food foods environmental latex allergy allergies
      allergen allergens allergic active adverse reaction reactions sensitivity sensitivities hypersensitivity intolerance
      intolerances current currently has have patient the any or of none history reported situation finding disorder</plain>
    <plain>keine bekannt bekannte bekannten allergie allergien aucune pas d' allergie connue connues sin alergia alergias conocida
      conocidas niega no nenhuma sem conhecida conhecidas nessuna allergia nota geen allergieën bekend bekende absence d'allergie d'allergies notion ingen inga kendt kendte kjent kjente känd kända allergi allergier brak alergii stwierdzono nie znanych non
      アレルギーなし アレルギー無し 无已知过敏 无过敏史 알레르기 없음</plain>
    <kind of="409137002" words="drug"/>
    <kind of="409137002" words="medic"/>
    <kind of="409137002" words="medik"/>
    <kind of="409137002" words="nkda"/>
    <kind of="409137002" words="nkma"/>
    <kind of="429625007" words="nkfa"/>
    <kind of="429625007" words="food"/>
    <kind of="428607008" words="environment"/>
    <kind of="1003774007" words="latex"/>
    <!-- Words after which something follows that is there after all. -->
    <exception words=" except"/>
    <exception words=" but "/>
    <exception words=" other than "/>
    <exception words=" apart from "/>
    <exception words=" aside from "/>
    <exception words=" beside "/>
    <exception words=" besides "/>
    <exception words=" excluding "/>
    <exception words=" exclusive of "/>
    <exception words=" with exception"/>
    <exception words=" save for "/>
    <exception words=" outside of "/>
    <exception words=" however "/>
    <exception words=" although "/>
    <exception words=" though "/>
    <exception words=" unless "/>
    <exception words=" only "/>
    <exception words=" minus "/>
    <exception words=" excl "/>
    <exception words=" außer "/>
    <exception words=" ausser "/>
    <exception words=" bis auf "/>
    <exception words=" ausgenommen "/>
    <exception words=" mit ausnahme "/>
    <exception words=" abgesehen von "/>
    <exception words=" aber "/>
    <exception words=" sauf "/>
    <exception words=" hormis "/>
    <exception words=" excepté "/>
    <exception words=" à part "/>
    <exception words=" mais "/>
    <exception words=" excepto "/>
    <exception words=" salvo "/>
    <exception words=" menos "/>
    <exception words=" pero "/>
    <exception words=" aparte de "/>
    <exception words=" tranne "/>
    <exception words=" eccetto "/>
    <exception words=" behalve "/>
    <exception words=" uitgezonderd "/>
    <exception words=" maar "/>
    <!-- What happened is only told of something that is there. -->
    <exception event="yes" words=" allergic to "/>
    <exception event="yes" words=" reacts "/>
    <exception event="yes" words=" reacted "/>
    <exception event="yes" words=" reaction to "/>
    <exception event="yes" words=" causes "/>
    <exception event="yes" words=" caused "/>
    <exception event="yes" words=" rash "/>
    <exception event="yes" words=" hives "/>
    <exception event="yes" words=" swelling "/>
    <exception event="yes" words=" anaphyla"/>
    <!-- Medicines or problems of which somebody says that there are none, as codes and as whole texts (`negated`: names
         of which a negation says it), and all words that such a statement is made of. -->
    <none of="Medication" code="787481004" to="787481004" title="No known medications"/>
    <none of="Medication" code="no-known-medications" to="787481004" title="No known medications"/>
    <none of="Medication" negated="yes" code="410942007" to="787481004" title="No known medications"/>
    <none of="Problem" code="160245001" to="160245001" title="No known problems"/>
    <none of="Problem" code="no-known-problems" to="160245001" title="No known problems"/>
    <none of="Problem" negated="yes" code="55607006" to="160245001" title="No known problems"/>
    <none of="Medication" text="no known medications" to="787481004" title="No known medications"/>
    <none of="Medication" text="no known medication" to="787481004" title="No known medications"/>
    <none of="Medication" text="no known current medications" to="787481004" title="No known medications"/>
    <none of="Medication" text="no current medications" to="787481004" title="No known medications"/>
    <none of="Medication" text="no medications" to="787481004" title="No known medications"/>
    <none of="Medication" text="keine medikamente bekannt" to="787481004" title="No known medications"/>
    <none of="Medication" text="keine bekannten medikamente" to="787481004" title="No known medications"/>
    <none of="Medication" text="keine medikamente" to="787481004" title="No known medications"/>
    <none of="Medication" text="sin medicamentos conocidos" to="787481004" title="No known medications"/>
    <none of="Problem" text="no known problems" to="160245001" title="No known problems"/>
    <none of="Problem" text="no known current problems" to="160245001" title="No known problems"/>
    <none of="Problem" text="no current problems" to="160245001" title="No known problems"/>
    <none of="Problem" text="no current problems or disability" to="160245001" title="No known problems"/>
    <none of="Problem" text="no problems" to="160245001" title="No known problems"/>
    <none of="Problem" text="sin problemas conocidos" to="160245001" title="No known problems"/>
    <none-words>no not known current currently medication medications medicine medicines medicament drug drugs any or of none problem problems
      disability disease situation finding product pharmaceutical biologic substance keine bekannt bekannte bekannten medikamente sin
      medicamentos conocidos problemas</none-words>
    <!-- Names that name nothing: by code, by the whole text, or by its first words (and a later one), for all models or
         for one. A name among them that says "not known" does not say "there is none". -->
    <nothing code="160245001"/>
    <nothing code="182849000"/>
    <nothing code="182904002" unknown="yes"/>
    <nothing code="787480003"/>
    <nothing code="787481004"/>
    <nothing code="787482006"/>
    <nothing code="787483001"/>
    <nothing code="no-known-problems"/>
    <nothing code="no-known-medications"/>
    <nothing code="no-known-procedures"/>
    <nothing code="no-known-immunizations"/>
    <nothing code="no-known-devices"/>
    <nothing code="no-allergy-info" unknown="yes"/>
    <nothing code="no-problem-info" unknown="yes"/>
    <nothing code="no-medication-info" unknown="yes"/>
    <nothing code="no-procedure-info" unknown="yes"/>
    <nothing code="no-immunization-info" unknown="yes"/>
    <nothing code="no-device-info" unknown="yes"/>
    <nothing code="1631000175102" unknown="yes"/>
    <nothing code="260413007"/>
    <nothing code="261665006" unknown="yes"/>
    <nothing text="denies"/>
    <nothing words="no meds" of="Medication"/>
    <nothing words="denies taking" of="Medication"/>
    <nothing text="unknown" unknown="yes"/>
    <nothing text="n/a" unknown="yes"/>
    <nothing text="not applicable" unknown="yes"/>
    <nothing text="tbd" unknown="yes"/>
    <nothing text="-" unknown="yes"/>
    <nothing text="--" unknown="yes"/>
    <nothing text="---" unknown="yes"/>
    <nothing text="?" unknown="yes"/>
    <nothing text="??" unknown="yes"/>
    <nothing text="." unknown="yes"/>
    <nothing text="pending" unknown="yes"/>
    <nothing text="deferred" unknown="yes"/>
    <nothing text="null" unknown="yes"/>
    <nothing text="undefined" unknown="yes"/>
    <nothing text="nil"/>
    <nothing text="0" unknown="yes"/>
    <nothing text="to be determined" unknown="yes"/>
    <nothing text="asked but unknown" unknown="yes"/>
    <nothing text="status unknown" unknown="yes"/>
    <nothing text="k. a." unknown="yes"/>
    <nothing text="no aplica" unknown="yes"/>
    <nothing text="unbekannt" unknown="yes"/>
    <nothing text="inconnu" unknown="yes"/>
    <nothing text="inconnue" unknown="yes"/>
    <nothing text="inconnues" unknown="yes"/>
    <nothing text="desconocido" unknown="yes"/>
    <nothing text="desconocida" unknown="yes"/>
    <nothing text="desconocidas" unknown="yes"/>
    <nothing text="sconosciuto" unknown="yes"/>
    <nothing text="sconosciuta" unknown="yes"/>
    <nothing text="sconosciute" unknown="yes"/>
    <nothing text="onbekend" unknown="yes"/>
    <nothing words="allergiestatus nicht " of="Allergy" unknown="yes"/>
    <nothing words="allergiestatus unbekannt" of="Allergy" unknown="yes"/>
    <nothing words="allergieanamnese nicht " of="Allergy" unknown="yes"/>
    <nothing words="not reviewed" unknown="yes"/>
    <nothing words="not yet " unknown="yes"/>
    <nothing words="not assessed" unknown="yes"/>
    <nothing words="not asked" unknown="yes"/>
    <nothing words="not obtained" unknown="yes"/>
    <nothing words="not documented" unknown="yes"/>
    <nothing words="not known" unknown="yes"/>
    <nothing words="not available" unknown="yes"/>
    <nothing words="not provided" unknown="yes"/>
    <nothing words="not verified" unknown="yes"/>
    <nothing words="not recorded" unknown="yes"/>
    <nothing words="unable to obtain" unknown="yes"/>
    <nothing words="unable to assess" unknown="yes"/>
    <nothing words="unable to determine" unknown="yes"/>
    <nothing words="unable to review" unknown="yes"/>
    <nothing words="unable to verify" unknown="yes"/>
    <nothing words="unknown if" unknown="yes"/>
    <nothing words="unknown whether" unknown="yes"/>
    <nothing words="information not available" unknown="yes"/>
    <nothing words="keine angabe" unknown="yes"/>
    <nothing words="keine information" unknown="yes"/>
    <nothing words="nicht bekannt" unknown="yes"/>
    <nothing words="nicht erhoben" unknown="yes"/>
    <nothing words="nicht erfragt" unknown="yes"/>
    <nothing words="nicht erfasst" unknown="yes"/>
    <nothing words="aucune information" unknown="yes"/>
    <nothing words="non renseign" unknown="yes"/>
    <nothing words="non connu" unknown="yes"/>
    <nothing words="pas d'information" unknown="yes"/>
    <nothing words="no consta" unknown="yes"/>
    <nothing words="sin informaci" unknown="yes"/>
    <nothing words="sin datos" unknown="yes"/>
    <nothing words="nessuna informazione" unknown="yes"/>
    <nothing words="geen informatie" unknown="yes"/>
    <nothing words="geen gegevens" unknown="yes"/>
    <nothing words="niet bekend" unknown="yes"/>
    <nothing words="allergies not " of="Allergy" unknown="yes"/>
    <nothing words="allergies: not " of="Allergy" unknown="yes"/>
    <nothing words="allergies have not " of="Allergy" unknown="yes"/>
    <nothing words="allergies were not " of="Allergy" unknown="yes"/>
    <nothing words="allergies are not " of="Allergy" unknown="yes"/>
    <nothing words="allergies could not " of="Allergy" unknown="yes"/>
    <nothing words="allergies cannot " of="Allergy" unknown="yes"/>
    <nothing words="allergies unable " of="Allergy" unknown="yes"/>
    <nothing words="allergies unknown" of="Allergy" unknown="yes"/>
    <nothing words="allergies: unknown" of="Allergy" unknown="yes"/>
    <nothing words="allergies are unknown" of="Allergy" unknown="yes"/>
    <nothing words="allergies pending" of="Allergy" unknown="yes"/>
    <nothing words="allergie unbekannt" of="Allergy" unknown="yes"/>
    <nothing text="pt unsure" of="Allergy" unknown="yes"/>
    <nothing text="patient unsure" of="Allergy" unknown="yes"/>
    <nothing words="see scanned " unknown="yes"/>
    <nothing words="see attached " unknown="yes"/>
    <nothing text="allergies: none" of="Allergy"/>
    <nothing text="allergies none" of="Allergy"/>
    <nothing text="لا توجد حساسية معروفة" of="Allergy"/>
    <nothing text="لا توجد حساسية" of="Allergy"/>
    <nothing words="problem list not " of="Problem" unknown="yes"/>
    <nothing words="problems not " of="Problem" unknown="yes"/>
    <nothing words="medication list not " of="Medication" unknown="yes"/>
    <nothing words="medications not " of="Medication" unknown="yes"/>
    <nothing words="unvaccinated" of="Immunization"/>
    <nothing words="not vaccinated" of="Immunization"/>
    <nothing words="declined " of="Immunization"/>
    <nothing words="refused " of="Immunization"/>
    <nothing words="patient declined" of="Immunization"/>
    <nothing words="patient refused" of="Immunization"/>
    <nothing words="allergy not " of="Allergy" unknown="yes"/>
    <nothing words="allergy unknown" of="Allergy" unknown="yes"/>
    <nothing words="allergy status " of="Allergy" unknown="yes"/>
    <nothing words="allergy history " and="not " of="Allergy" unknown="yes"/>
    <nothing words="allergy history " and="unknown" of="Allergy" unknown="yes"/>
    <nothing words="allergy history " and="unable" of="Allergy" unknown="yes"/>
    <nothing words="allergy information " of="Allergy" unknown="yes"/>
    <nothing words="allergy list " of="Allergy" unknown="yes"/>
    <nothing words="allergien unbekannt" of="Allergy" unknown="yes"/>
    <nothing words="allergien nicht " of="Allergy" unknown="yes"/>
    <nothing words="allergies inconnues" of="Allergy" unknown="yes"/>
    <nothing words="allergies non " of="Allergy" unknown="yes"/>
    <nothing words="alergias desconocidas" of="Allergy" unknown="yes"/>
    <nothing words="alergias no " of="Allergy" unknown="yes"/>
    <nothing words="unable to" of="Allergy" unknown="yes"/>
    <nothing words="patient unable" of="Allergy" unknown="yes"/>
    <nothing words="patient is unable" of="Allergy" unknown="yes"/>
    <nothing words="patient unresponsive" of="Allergy" unknown="yes"/>
    <nothing words="could not be " of="Allergy" unknown="yes"/>
    <nothing words="cannot be " of="Allergy" unknown="yes"/>
    <nothing words="have not been " of="Allergy" unknown="yes"/>
    <nothing text="unremarkable" of="Problem"/>
    <nothing text="healthy" of="Problem"/>
    <nothing text="unauffällig" of="Problem"/>
    <nothing text="gesund" of="Problem"/>
    <nothing text="sano" of="Problem"/>
    <nothing text="sana" of="Problem"/>
    <nothing text="sain" of="Problem"/>
    <nothing text="not recorded" unknown="yes"/>
    <nothing text="none"/>
    <nothing text="ninguna"/>
    <nothing text="ninguno"/>
    <nothing text="nenhuma"/>
    <nothing text="no conocidas"/>
    <nothing words="ninguna conocida"/>
    <nothing words="ninguno conocido"/>
    <nothing words="nenhuma conhecida"/>
    <nothing words="no information" unknown="yes"/>
    <nothing words="not on file" unknown="yes"/>
    <nothing words="none on file" unknown="yes"/>
    <nothing words="none recorded" unknown="yes"/>
    <nothing words="no data" unknown="yes"/>
    <nothing words="no " and=" on file" unknown="yes"/>
    <nothing words="no " and=" recorded" unknown="yes"/>
    <nothing words="no " and=" documented" unknown="yes"/>
    <nothing words="no " and=" information" unknown="yes"/>
    <nothing words="no known "/>
    <nothing words="none known"/>
    <nothing words="none reported"/>
    <nothing words="keine "/>
    <nothing words="aucun"/>
    <nothing words="pas de "/>
    <nothing words="pas d'"/>
    <nothing words="sin " and="conocid"/>
    <nothing words="nessun"/>
    <nothing words="geen "/>
    <nothing words="unknown allerg" of="Allergy" unknown="yes"/>
    <nothing words="no " and=" available" of="Allergy" unknown="yes"/>
    <nothing words="no " and=" available" of="Medication" unknown="yes"/>
    <nothing words="no " of="Allergy"/>
    <nothing words="not " of="Allergy"/>
    <nothing words="nil " of="Allergy"/>
    <nothing words="denies" of="Allergy"/>
    <nothing words="tolerates " of="Allergy"/>
    <nothing words="tolerated " of="Allergy"/>
    <nothing words="able to tolerate " of="Allergy"/>
    <nothing words="verträgt " of="Allergy"/>
    <nothing words="tolera " of="Allergy"/>
    <nothing words="negative " of="Allergy"/>
    <nothing words="allergy ruled out" of="Allergy"/>
    <nothing words="patient denies" of="Allergy"/>
    <nothing words="patient has no" of="Allergy"/>
    <nothing words="no " and="medic" of="Medication"/>
    <nothing words="no " and="drug" of="Medication"/>
    <nothing words="no " and="prescri" of="Medication"/>
    <nothing words="not on " of="Medication"/>
    <nothing words="not taking" of="Medication"/>
    <nothing words="patient not " of="Medication"/>
    <nothing words="patient is not " of="Medication"/>
    <nothing words="patient takes no" of="Medication"/>
    <nothing words="patient denies" of="Medication"/>
    <nothing words="no " and="problem" of="Problem"/>
    <nothing words="no " and="diagnos" of="Problem"/>
    <nothing words="no " and="medical history" of="Problem"/>
    <!-- What a problem is said not to be. "No light perception" and "Kein Antrieb" are problems, so "no" alone
         counts only before diseases (`says-no-disease`). -->
    <nothing words="no history of " of="Problem"/>
    <nothing words="no hx of " of="Problem"/>
    <nothing words="no h/o " of="Problem"/>
    <nothing words="no prior history of " of="Problem"/>
    <nothing words="no past history of " of="Problem"/>
    <nothing words="no personal history of " of="Problem"/>
    <nothing words="no family history of " of="Problem"/>
    <nothing words="no evidence of " of="Problem"/>
    <nothing words="no sign of " of="Problem"/>
    <nothing words="no signs of " of="Problem"/>
    <nothing words="no symptoms of " of="Problem"/>
    <nothing words="no complaints of " of="Problem"/>
    <nothing words="negative for " of="Problem"/>
    <nothing words="denies " of="Problem"/>
    <nothing words="patient does not have " of="Problem"/>
    <nothing words="pt does not have " of="Problem"/>
    <nothing words="does not have " of="Problem"/>
    <nothing words="patient has no " of="Problem"/>
    <nothing words="patient hat kein" of="Problem"/>
    <nothing words="no tiene " of="Problem"/>
    <nothing words="denied " of="Problem"/>
    <nothing words="negative " and=" test" of="Problem"/>
    <nothing words="patient denies " of="Problem"/>
    <nothing words="pt denies " of="Problem"/>
    <nothing words="ruled out" of="Problem"/>
    <nothing words="kein hinweis " of="Problem"/>
    <nothing words="kein anhalt " of="Problem"/>
    <nothing words="kein nachweis " of="Problem"/>
    <nothing words="kein verdacht " of="Problem"/>
    <nothing words="kein v.a. " of="Problem"/>
    <nothing words="no suspicion of " of="Problem"/>
    <nothing words="ausschluss von " of="Problem"/>
    <nothing words="ausgeschlossen" of="Problem"/>
    <nothing words="sin antecedentes de " of="Problem"/>
    <nothing words="sin evidencia de " of="Problem"/>
    <nothing words="niega " of="Problem"/>
    <nothing words="nega " of="Problem"/>
    <nothing words="family history negative " of="FamilyHistory"/>
    <nothing words="family history: negative " of="FamilyHistory"/>
    <nothing words="no " and="procedure" of="Procedure"/>
    <nothing words="no " and="surg" of="Procedure"/>
    <nothing words="no " and="immuni" of="Immunization"/>
    <nothing words="no " and="vaccin" of="Immunization"/>
    <nothing words="no " and="device" of="Equipment"/>
    <!-- Why there is no number, by null flavor and code of FHIR, in words of a person. -->
    <absent flavor="PINF" code="positive-infinity">Above what can be measured</absent>
    <absent flavor="NINF" code="negative-infinity">Below what can be measured</absent>
    <absent flavor="TRC">Trace</absent>
    <absent flavor="QS">Sufficient quantity</absent>
    <absent flavor="MSK" code="masked">Not shown by its source</absent>
    <absent flavor="NAV" code="temp-unknown">Temporarily unavailable</absent>
    <absent flavor="ASKU" code="asked-unknown">Asked but unknown</absent>
    <absent code="asked-declined">Asked but declined</absent>
    <absent flavor="NASK" code="not-asked">Not asked</absent>
    <absent flavor="NA" code="not-applicable">Not applicable</absent>
    <absent flavor="UNK" code="unknown">Unknown</absent>
    <absent flavor="NI">No information</absent>
    <absent flavor="INV">Not usable</absent>
    <absent code="not-a-number">No number</absent>
    <absent code="unsupported">Not kept by its source</absent>
    <absent code="as-text">Only in the text</absent>
    <absent code="not-performed">Not done</absent>
    <absent code="not-permitted">Not permitted</absent>
    <!-- Words by which the name of an allergy or a problem says that somebody of the family has it. -->
    <family begins="family history"/>
    <family begins="family hx"/>
    <family begins="fam hx"/>
    <family begins="famhx"/>
    <family begins="fhx"/>
    <family begins="fh:"/>
    <family begins="family:"/>
    <family begins="fam:"/>
    <family begins="familie:"/>
    <family begins="familia:"/>
    <family begins="fh of "/>
    <family begins="fh - "/>
    <family begins="familiäre belastung"/>
    <family begins="familiäre vorbelastung"/>
    <family begins="familienanamnese"/>
    <family begins="antecedentes familiares"/>
    <family begins="antecedente familiar"/>
    <family begins="historia familiar"/>
    <family begins="antécédents familiaux"/>
    <family begins="anamnesi familiare"/>
    <family begins="تاريخ عائلي"/>
    <family before="in"/>
    <family before="in the"/>
    <family before="of"/>
    <family before="of the"/>
    <family before="bei"/>
    <family before="bei der"/>
    <family before="beim"/>
    <family before="der"/>
    <family before="des"/>
    <family before="von"/>
    <family before="de la"/>
    <family before="de su"/>
    <family before="del"/>
    <family before="du"/>
    <family before="en la"/>
    <family before="en el"/>
    <family before="chez la"/>
    <family before="chez le"/>
    <family before="لدى"/>
    <family before="عند"/>
    <family after="has "/>
    <family after="had "/>
    <family after="is allergic"/>
    <family after="allergic"/>
    <family after="allerg"/>
    <family after="s allerg"/>
    <family after="is "/>
    <family after="was "/>
    <family after="with "/>
    <family after="reacts "/>
    <family after="reacted "/>
    <family after="developed "/>
    <family after="died "/>
    <family after="smokes"/>
    <family after="anaphyla"/>
    <family after="hat "/>
    <family after="hatte "/>
    <family after="ist "/>
    <family after="litt "/>
    <family after="war "/>
    <family after="starb "/>
    <family after="tiene "/>
    <family after="tuvo "/>
    <family after="tenía "/>
    <family after="es alérgic"/>
    <family after="falleció "/>
    <family after="a eu "/>
    <family after="avait "/>
    <family after="est allerg"/>
    <family after="لديها "/>
    <family after="لديه "/>
    <family reported=" report"/>
    <family reported=" per "/>
    <family reported=" said "/>
    <family reported=" says "/>
    <family reported=" states "/>
    <family reported=" stated "/>
    <family reported=" according "/>
    <family reported=" told "/>
    <family reported=" laut "/>
    <family reported=" gemäß "/>
    <family reported=" berichtet "/>
    <family reported=" según "/>
    <family reported=" refiere "/>
    <family reported=" selon "/>
    <family reported=" informant "/>
    <!-- How a remark begins that says that a vaccine was not given. -->
    <ungiven>refused</ungiven>
    <ungiven>refusal</ungiven>
    <ungiven>declined</ungiven>
    <ungiven>patient refused</ungiven>
    <ungiven>patient declined</ungiven>
    <ungiven>pt refused</ungiven>
    <ungiven>pt declined</ungiven>
    <ungiven>parent refused</ungiven>
    <ungiven>parents refused</ungiven>
    <ungiven>parent declined</ungiven>
    <ungiven>parents declined</ungiven>
    <ungiven>vaccine refused</ungiven>
    <ungiven>vaccine declined</ungiven>
    <ungiven>vaccination refused</ungiven>
    <ungiven>not given</ungiven>
    <ungiven>not administered</ungiven>
    <ungiven>was not given</ungiven>
    <ungiven>was not administered</ungiven>
    <ungiven>not done</ungiven>
    <ungiven>deferred</ungiven>
    <ungiven>abgelehnt</ungiven>
    <ungiven>verweigert</ungiven>
    <ungiven>nicht gegeben</ungiven>
    <ungiven>nicht verabreicht</ungiven>
    <ungiven>nicht geimpft</ungiven>
    <ungiven>vom patienten abgelehnt</ungiven>
    <ungiven>rechazad</ungiven>
    <ungiven>rechaza</ungiven>
    <ungiven>no administrad</ungiven>
    <ungiven>no se administr</ungiven>
    <ungiven>refusé</ungiven>
    <ungiven>non administré</ungiven>
    <ungiven>rifiutat</ungiven>
    <ungiven>رفض</ungiven>
    <ungiven>لم يعط</ungiven>

    <!-- Words by which such a remark says that it was given after all, and what may stand before them where they do not. -->
    <given> given </given>
    <given> administered </given>
    <given> vaccinated </given>
    <given> immunized </given>
    <given> immunised </given>
    <given> received later </given>
    <given> received on </given>
    <given> received at </given>
    <given> received it </given>
    <given> received the vaccine </given>
    <given> then received </given>
    <given> later received </given>
    <given> accepted </given>
    <given> agreed </given>
    <given> consented </given>
    <given> gegeben </given>
    <given> verabreicht </given>
    <given> geimpft </given>
    <given> eingewilligt </given>
    <given> erfolgt </given>
    <given> aceptó </given>
    <given> aceptado </given>
    <given> aceptada </given>
    <given> administrado </given>
    <given> administrada </given>
    <given> vacunado </given>
    <given> vacunada </given>
    <given> donné </given>
    <given> administré </given>
    <given> vacciné </given>
    <given> vaccinée </given>
    <given> accepté </given>
    <given> أعطي </given>
    <given> أعطيت </given>
    <given> وافق </given>
    <besides-given>not</besides-given>
    <besides-given>never</besides-given>
    <besides-given>not been</besides-given>
    <besides-given>be</besides-given>
    <besides-given>reason</besides-given>
    <besides-given>information</besides-given>
    <besides-given>vis</besides-given>
    <besides-given>leaflet</besides-given>
    <besides-given>education</besides-given>
    <besides-given>counseling</besides-given>
    <besides-given>counselling</besides-given>
    <besides-given>advice</besides-given>
    <besides-given>nicht</besides-given>
    <besides-given>no</besides-given>
    <besides-given>non</besides-given>
    <besides-given>pas</besides-given>

    <!-- Words by which a vaccination without a day says that it is still to come, and others beside which they do not. -->
    <due> due </due>
    <due> overdue </due>
    <due> to be given </due>
    <due> will be given </due>
    <due> scheduled for </due>
    <due> planned for </due>
    <due> fällig </due>
    <due> überfällig </due>
    <due> ausstehend </due>
    <due> steht noch aus </due>
    <due> vence </due>
    <due> vencida </due>
    <due> pendiente </due>
    <due> à faire </due>
    <due> da fare </due>
    <due> مستحق </due>
    <due> مستحقة </due>
    <besides-due> next </besides-due>
    <besides-due> not due </besides-due>
    <besides-due> not yet due </besides-due>
    <besides-due> nächste </besides-due>
    <besides-due> nicht fällig </besides-due>
    <besides-due> próxima </besides-due>
    <besides-due> siguiente </besides-due>
    <besides-due> prochaine </besides-due>
    <besides-due> التالية </besides-due>
    <besides-due> done </besides-due>
    <besides-due> received </besides-due>
    <besides-due> completed </besides-due>
    <besides-due> erhalten </besides-due>
    <besides-due> recibida </besides-due>
    <besides-due> lot </besides-due>
    <besides-due> lote </besides-due>

    <!-- How the name of an act ends that was not done, and that of a problem that is over. -->
    <undone begins="refused "/>
    <undone begins="declined "/>
    <undone begins="declines "/>
    <undone begins="refuses "/>
    <undone begins="recommend "/>
    <undone begins="recommended: "/>
    <undone begins="recommended "/>
    <undone begins="consider "/>
    <undone begins="due: "/>
    <undone begins="due for "/>
    <undone begins="due in "/>
    <undone begins="overdue"/>
    <undone begins="planned: "/>
    <undone begins="scheduled: "/>
    <undone begins="pending: "/>
    <undone begins="geplant: "/>
    <undone begins="empfohlen: "/>
    <undone begins="fällig: "/>
    <undone begins="abgelehnt: "/>
    <undone begins="programada: "/>
    <undone begins="pendiente: "/>
    <undone begins="se recomienda "/>
    <undone begins="considering "/>
    <undone begins="cancelled: "/>
    <undone begins="canceled: "/>
    <undone begins="not done: "/>
    <undone begins="not performed: "/>
    <undone begins="not given: "/>
    <undone within=" scheduled for "/>
    <undone ends=" planned"/>
    <undone ends="(requested)"/>
    <undone ends=" (aborted)"/>
    <undone ends=" - aborted"/>
    <undone ends=" - never"/>
    <undone within=" (scheduled "/>
    <undone within=" (planned "/>
    <undone within=" (due "/>
    <undone within=" (geplant "/>
    <undone within=" (programad"/>
    <undone ends=" recommended"/>
    <undone ends=" (recommended)"/>
    <undone ends=" empfohlen"/>
    <undone ends=" recomendada"/>
    <undone of="Immunization" ends=" never"/>
    <undone of="Immunization" ends=" ordered"/>
    <undone of="Immunization" ends=" (ordered)"/>
    <undone of="Immunization" ends=" offered"/>
    <undone of="Immunization" ends=" (offered)"/>
    <undone of="Immunization" ends=" discussed"/>
    <undone of="Immunization" ends=" exempt"/>
    <undone of="Immunization" ends=" exemption"/>
    <undone of="Immunization" ends=" waiver"/>
    <undone of="Immunization" ends=" waived"/>
    <undone of="Immunization" ends=" not eligible"/>
    <undone of="Immunization" ends=" out of stock"/>
    <undone of="Immunization" ends=" not available"/>
    <undone of="Immunization" ends=" unavailable"/>
    <undone of="Immunization" ends=" deferred"/>
    <undone of="Immunization" ends=" (deferred)"/>
    <undone of="Immunization" ends=" postponed"/>
    <undone of="Immunization" ends=" (postponed)"/>
    <undone of="Immunization" ends=" consent signed"/>
    <undone of="Immunization" ends=" prefers to wait"/>
    <undone of="Immunization" ends=" verschoben"/>
    <undone of="Immunization" ends=" aufgeschoben"/>
    <undone of="Immunization" ends=" ofrecida"/>
    <undone of="Immunization" ends=" aplazada"/>
    <undone of="Immunization" ends=" pospuesta"/>
    <undone of="Immunization" begins="exempt"/>
    <undone of="Immunization" begins="never "/>
    <undone of="Immunization" begins="nie "/>
    <undone of="Immunization" begins="nunca "/>
    <undone of="Immunization" begins="jamais "/>
    <undone of="Immunization" begins="immune to "/>
    <undone of="Immunization" begins="immunity to "/>
    <undone of="Immunization" begins="not immune"/>
    <undone of="Immunization" begins="had " without="vaccin"/>
    <undone of="Immunization" ends=" titer"/>
    <undone of="Immunization" ends=" titers"/>
    <undone of="Immunization" ends=" titre"/>
    <undone of="Immunization" begins="religious exemption"/>
    <undone of="Immunization" begins="medical exemption"/>
    <undone of="Immunization" begins="vaccine information"/>
    <undone of="Immunization" ends=" contraindicated"/>
    <undone of="Immunization" ends=" (contraindicated)"/>
    <undone of="Immunization" ends=" not indicated"/>
    <undone of="Immunization" ends=" not needed"/>
    <undone of="Immunization" ends=" kontraindiziert"/>
    <undone of="Immunization" ends=" contraindicada"/>
    <undone of="Immunization" ends=" titer immune"/>
    <undone of="Immunization" begins="history of " without="vaccin"/>
    <undone of="Immunization" within="(history of disease"/>
    <undone of="Immunization" within="(had disease"/>
    <undone of="Immunization" within=" history of disease"/>
    <undone of="Immunization" within="disease history"/>
    <undone of="Immunization" within=" had disease"/>
    <undone of="Immunization" ends=" (disease)"/>
    <undone of="Immunization" within="had chickenpox"/>
    <undone of="Immunization" within=" natural immunity"/>
    <undone of="Immunization" within="(natural immunity"/>
    <undone of="Immunization" within=" natural infection"/>
    <undone of="Immunization" ends=" immune by titer"/>
    <undone of="Immunization" ends=" (immune by titer)"/>
    <undone of="Immunization" ends=" titer positive"/>
    <undone of="Immunization" ends=" positive titer"/>
    <undone of="Immunization" within=" durchgemacht"/>
    <undone of="Immunization" within="(durchgemacht"/>
    <undone of="Immunization" within="pasó la enfermedad"/>
    <undone of="Immunization" within="enfermedad pasada"/>
    <undone of="Immunization" within="maladie contractée"/>
    <undone ends=" (cancelled)"/>
    <undone ends=" - cancelled"/>
    <undone ends=" (canceled)"/>
    <undone ends=" - canceled"/>
    <undone ends=" (scheduled)"/>
    <undone ends=" - scheduled"/>
    <undone ends=" (planned)"/>
    <undone ends=" - planned"/>
    <undone ends=" (pending)"/>
    <undone ends=" - pending"/>
    <undone ends=" (due)"/>
    <undone ends=" - due"/>
    <undone ends=" (overdue)"/>
    <undone ends=" - overdue"/>
    <undone ends=" (abgesagt)"/>
    <undone ends=" - abgesagt"/>
    <undone ends=" (geplant)"/>
    <undone ends=" - geplant"/>
    <undone ends=" (ausstehend)"/>
    <undone ends=" - ausstehend"/>
    <undone ends=" (fällig)"/>
    <undone ends=" - fällig"/>
    <undone ends=" (überfällig)"/>
    <undone ends=" - überfällig"/>
    <undone ends=" (programada)"/>
    <undone ends=" - programada"/>
    <undone ends=" (programado)"/>
    <undone ends=" - programado"/>
    <undone ends=" (pendiente)"/>
    <undone ends=" - pendiente"/>
    <undone ends=" (cancelada)"/>
    <undone ends=" - cancelada"/>
    <undone ends=" (cancelado)"/>
    <undone ends=" - cancelado"/>
    <undone ends=" due"/>
    <undone ends=" overdue"/>
    <undone ends=" is due"/>
    <undone ends=" fällig"/>
    <undone ends=" declined"/>
    <undone ends=" (declined)"/>
    <undone ends=" refused"/>
    <undone ends=" (refused)"/>
    <undone ends=" not given"/>
    <undone ends=" (not given)"/>
    <undone ends=" not administered"/>
    <undone ends=" abgelehnt"/>
    <undone ends=" (abgelehnt)"/>
    <undone ends=" verweigert"/>
    <undone ends=" nicht gegeben"/>
    <undone ends=" rechazado"/>
    <undone ends=" rechazada"/>
    <undone ends=" (rechazada)"/>
    <undone ends=" no administrada"/>
    <undone ends=" refusé"/>
    <undone ends=" refusée"/>
    <!-- Words by which an allergy is said not to be there, or no longer; `named` ones only of an allergy or an entry. -->
    <unallergic to="refuted">entered in error</unallergic>
    <unallergic to="refuted">documented in error</unallergic>
    <unallergic to="refuted">recorded in error</unallergic>
    <unallergic to="refuted">listed in error</unallergic>
    <unallergic to="refuted">added in error</unallergic>
    <unallergic to="refuted">entered erroneously</unallergic>
    <unallergic to="refuted">erroneously entered</unallergic>
    <unallergic to="refuted">erroneous</unallergic>
    <unallergic to="refuted">ruled out</unallergic>
    <unallergic to="refuted">excluded</unallergic>
    <unallergic to="refuted">not allergic</unallergic>
    <unallergic to="refuted">tested negative</unallergic>
    <unallergic to="refuted">family history only</unallergic>
    <unallergic to="refuted">test negative</unallergic>
    <unallergic to="refuted">testing negative</unallergic>
    <unallergic to="refuted">negative test</unallergic>
    <unallergic to="refuted">negative testing</unallergic>
    <unallergic to="refuted">negative skin test</unallergic>
    <unallergic to="refuted">negative challenge</unallergic>
    <unallergic to="refuted">challenge negative</unallergic>
    <unallergic to="refuted">passed challenge</unallergic>
    <unallergic to="refuted">passed oral challenge</unallergic>
    <unallergic to="refuted">negativ getestet</unallergic>
    <unallergic to="refuted">getestet negativ</unallergic>
    <unallergic to="refuted">test negativ</unallergic>
    <unallergic to="refuted">prueba negativa</unallergic>
    <unallergic to="refuted">test négatif</unallergic>
    <unallergic to="refuted">refuted</unallergic>
    <unallergic to="refuted">disproved</unallergic>
    <unallergic to="refuted">ausgeschlossen</unallergic>
    <unallergic to="refuted">widerlegt</unallergic>
    <unallergic to="refuted">irrtümlich eingetragen</unallergic>
    <unallergic to="refuted">irrtümlich erfasst</unallergic>
    <unallergic to="refuted">fälschlich eingetragen</unallergic>
    <unallergic to="refuted">fälschlich erfasst</unallergic>
    <unallergic to="refuted">descartada</unallergic>
    <unallergic to="refuted">descartado</unallergic>
    <unallergic to="refuted">registrada por error</unallergic>
    <unallergic to="refuted">ingresada por error</unallergic>
    <unallergic to="refuted">introducida por error</unallergic>
    <unallergic to="refuted">أدخلت بالخطأ</unallergic>
    <unallergic to="refuted">مستبعدة</unallergic>
    <unallergic to="unclear" named="y">not</unallergic>
    <unallergic to="unclear" named="y">not an</unallergic>
    <unallergic to="unclear" named="y">not true</unallergic>
    <unallergic to="unclear" named="y">not really an</unallergic>
    <unallergic to="unclear" named="y">no true</unallergic>
    <unallergic to="unclear" named="y">intolerance not</unallergic>
    <unallergic to="unclear" named="y">side effect not</unallergic>
    <unallergic to="unclear" named="y">keine</unallergic>
    <unallergic to="unclear" named="y">keine echte</unallergic>
    <unallergic to="unclear" named="y">no es una</unallergic>
    <unallergic to="unclear" named="y">no es una verdadera</unallergic>
    <unallergic to="unclear" named="y">pas une vraie</unallergic>
    <unallergic to="unclear" named="y">ليست</unallergic>
    <unallergic to="unclear">side effect only</unallergic>
    <unallergic to="unclear">side effects only</unallergic>
    <unallergic to="unclear">only side effect</unallergic>
    <unallergic to="unclear">intolerance only</unallergic>
    <unallergic to="unclear">nur nebenwirkung</unallergic>
    <unallergic to="unclear">nur unverträglichkeit</unallergic>
    <unallergic to="unclear">solo efecto secundario</unallergic>
    <unallergic to="unclear">seulement effet secondaire</unallergic>
    <unallergic to="unclear">tolerated</unallergic>
    <unallergic to="unclear">tolerates</unallergic>
    <unallergic to="unclear">tolerating</unallergic>
    <unallergic to="unclear">now tolerates</unallergic>
    <unallergic to="unclear">tolerated well</unallergic>
    <unallergic to="unclear">tolerates well</unallergic>
    <unallergic to="unclear">tolerated without reaction</unallergic>
    <unallergic to="unclear">vertragen</unallergic>
    <unallergic to="unclear">gut vertragen</unallergic>
    <unallergic to="unclear">verträgt</unallergic>
    <unallergic to="unclear">tolera</unallergic>
    <unallergic to="unclear">tolera bien</unallergic>
    <unallergic to="unclear">tolerado</unallergic>
    <unallergic to="unclear">toléré</unallergic>
    <unallergic to="unclear">bien toléré</unallergic>
    <unallergic to="unclear">يتحمل</unallergic>
    <unallergic to="unclear">تتحمل</unallergic>
    <unallergic to="resolved">delabeled</unallergic>
    <unallergic to="resolved">delabelled</unallergic>
    <unallergic to="resolved">de labeled</unallergic>
    <unallergic to="resolved">de labelled</unallergic>
    <unallergic to="resolved">outgrown</unallergic>
    <unallergic to="resolved">no longer allergic</unallergic>
    <unallergic to="resolved" named="y">removed</unallergic>
    <unallergic to="resolved" named="y">deleted</unallergic>
    <unallergic to="resolved" named="y">entfernt</unallergic>
    <unallergic to="resolved" named="y">gelöscht</unallergic>
    <unallergic to="resolved" named="y">retirada</unallergic>
    <unallergic to="resolved" named="y">eliminada</unallergic>
    <unallergic to="resolved" named="y">أزيلت</unallergic>
    <!-- What a name says of something that is over, and is there again or still. -->
    <back-again>recur</back-again>
    <back-again>relaps</back-again>
    <back-again>residual</back-again>
    <back-again>persist</back-again>
    <back-again>malunion</back-again>
    <back-again>nonunion</back-again>
    <back-again>rezidiv</back-again>
    <back-again>erneut</back-again>
    <back-again>recidiv</back-again>
    <back-again>récidiv</back-again>

    <!-- How the name of something ends that is not there. -->
    <!-- What ends with these, but may be there. -->
    <undenied ends=" not ruled out"/>
    <undenied ends=" be ruled out"/>
    <undenied ends=" never ruled out"/>
    <undenied ends=" not been ruled out"/>
    <undenied ends=" not yet ruled out"/>
    <undenied ends=" nicht ausgeschlossen"/>
    <undenied ends=" no descartado"/>
    <undenied ends=" no descartada"/>
    <undenied ends=" not excluded"/>
    <undenied ends=" be excluded"/>
    <!-- Where it stands alone: in "Chest pain, MI ruled out" only the second is denied. -->
    <denied ends=" ruled out" alone="y"/>
    <denied ends=" excluded" alone="y"/>
    <denied ends=" ausgeschlossen" alone="y"/>
    <denied ends=" descartado" alone="y"/>
    <denied ends=" descartada" alone="y"/>
    <!-- A test that was negative is no problem, and was made nevertheless. -->
    <denied ends=" test negative" of="Problem"/>
    <denied ends=" test is negative" of="Problem"/>
    <denied ends=" test was negative" of="Problem"/>
    <denied ends=" test: negative" of="Problem"/>
    <denied ends=" test (negative)" of="Problem"/>
    <denied ends=" test negativ" of="Problem"/>
    <denied ends=" test negativo" of="Problem"/>
    <denied ends=" prueba negativa" of="Problem"/>
    <denied ends="hiv negative" of="Problem"/>
    <denied ends="hiv neg" of="Problem"/>
    <denied ends="hiv (negative)" of="Problem"/>
    <denied ends="covid-19 negative" of="Problem"/>
    <denied ends="covid-19 neg" of="Problem"/>
    <denied ends="covid-19 (negative)" of="Problem"/>
    <denied ends="covid negative" of="Problem"/>
    <denied ends="covid neg" of="Problem"/>
    <denied ends="covid (negative)" of="Problem"/>
    <denied ends="hep c negative" of="Problem"/>
    <denied ends="hep c neg" of="Problem"/>
    <denied ends="hep c (negative)" of="Problem"/>
    <denied ends="hep b negative" of="Problem"/>
    <denied ends="hep b neg" of="Problem"/>
    <denied ends="hep b (negative)" of="Problem"/>
    <denied ends="hepatitis c negative" of="Problem"/>
    <denied ends="hepatitis c neg" of="Problem"/>
    <denied ends="hepatitis c (negative)" of="Problem"/>
    <denied ends="hepatitis b negative" of="Problem"/>
    <denied ends="hepatitis b neg" of="Problem"/>
    <denied ends="hepatitis b (negative)" of="Problem"/>
    <denied ends="tb negative" of="Problem"/>
    <denied ends="tb neg" of="Problem"/>
    <denied ends="tb (negative)" of="Problem"/>
    <denied ends="strep negative" of="Problem"/>
    <denied ends="strep neg" of="Problem"/>
    <denied ends="strep (negative)" of="Problem"/>
    <denied ends="influenza negative" of="Problem"/>
    <denied ends="influenza neg" of="Problem"/>
    <denied ends="influenza (negative)" of="Problem"/>
    <denied ends="cancer-free" of="Problem"/>
    <denied ends="cancer free" of="Problem"/>
    <denied ends=": denies"/>
    <denied ends=" - denies"/>
    <denied ends=" (denies)"/>
    <denied ends="? no"/>
    <denied ends="? nein"/>
    <denied ends=": no"/>
    <denied ends=" - no"/>
    <denied ends=": denied"/>
    <denied ends=" - denied"/>
    <denied ends=" (denied)"/>
    <denied ends=": none"/>
    <denied ends=": negative"/>
    <denied ends=": nein"/>
    <denied ends=": verneint"/>
    <denied ends=" verneint"/>
    <denied ends=": negativ"/>
    <denied ends=": niega"/>
    <denied ends=": negativo"/>
    <denied ends=": negado"/>

    <!-- LOINC codes of social history, whatever the source calls it. -->
    <social code="72166-2"/>
    <social code="11367-0"/>
    <social code="74013-4"/>
    <social code="11331-6"/>

    <!-- Vital signs: LOINC (or SNOMED CT) code of the document, column and LOINC code of the model. -->
    <vital from="8480-6" column="bp_systolic" to="8480-6" title="Systolic blood pressure"/>
    <vital from="8459-0" column="bp_systolic" to="8480-6" title="Systolic blood pressure" position="33586001"/>
    <vital from="8460-8" column="bp_systolic" to="8480-6" title="Systolic blood pressure" position="10904000"/>
    <vital from="8461-6" column="bp_systolic" to="8480-6" title="Systolic blood pressure" position="40199007"/>
    <vital from="8462-4" column="bp_diastolic" to="8462-4" title="Diastolic blood pressure"/>
    <vital from="8453-3" column="bp_diastolic" to="8462-4" title="Diastolic blood pressure" position="33586001"/>
    <vital from="8454-1" column="bp_diastolic" to="8462-4" title="Diastolic blood pressure" position="10904000"/>
    <vital from="8455-8" column="bp_diastolic" to="8462-4" title="Diastolic blood pressure" position="40199007"/>
    <vital from="39156-5" column="bmi" to="39156-5" title="Body mass index"/>
    <vital from="8867-4" column="heart_rate" to="8867-4" title="Heart rate"/>
    <vital from="8889-8" column="heart_rate" to="8867-4" title="Heart rate"/>
    <vital from="8302-2" column="height" to="8302-2" title="Body height"/>
    <vital from="3137-7" column="height" to="8302-2" title="Body height"/>
    <vital from="8306-3" column="height" to="8306-3" title="Body height (lying)"/>
    <vital from="2710-2" column="oxygen_saturation" to="2710-2" title="Oxygen saturation"/>
    <vital from="59408-5" column="oxygen_saturation" to="2710-2" title="Oxygen saturation"/>
    <vital from="2708-6" column="oxygen_saturation" to="2710-2" title="Oxygen saturation"/>
    <vital from="9279-1" column="respiratory_rate" to="9279-1" title="Respiratory rate"/>
    <vital from="8310-5" column="temperature" to="8310-5" title="Body temperature"/>
    <vital from="8331-1" column="temperature" to="8310-5" title="Body temperature"/>
    <vital from="8332-9" column="temperature" to="8310-5" title="Body temperature"/>
    <vital from="8333-7" column="temperature" to="8310-5" title="Body temperature"/>
    <vital from="8328-7" column="temperature" to="8310-5" title="Body temperature"/>
    <vital from="3141-9" column="weight" to="3141-9" title="Body weight"/>
    <vital from="29463-7" column="weight" to="3141-9" title="Body weight"/>
    <vital snomed="271649006" column="bp_systolic" to="8480-6" title="Systolic blood pressure"/>
    <vital snomed="271650006" column="bp_diastolic" to="8462-4" title="Diastolic blood pressure"/>
    <vital snomed="60621009" column="bmi" to="39156-5" title="Body mass index"/>
    <vital snomed="364075005" column="heart_rate" to="8867-4" title="Heart rate"/>
    <vital snomed="50373000" column="height" to="8302-2" title="Body height"/>
    <vital snomed="431314004" column="oxygen_saturation" to="2710-2" title="Oxygen saturation"/>
    <vital snomed="86290005" column="respiratory_rate" to="9279-1" title="Respiratory rate"/>
    <vital snomed="386725007" column="temperature" to="8310-5" title="Body temperature"/>
    <vital snomed="27113001" column="weight" to="3141-9" title="Body weight"/>

    <position code="33586001"/>
    <position code="10904000"/>
    <position code="40199007"/>
    <site code="368208006"/>
    <site code="368209003"/>
    <site code="61396006"/>
    <site code="11207009"/>
    <method from="37931006" to="auscultation"/>
    <method from="113011001" to="palpation"/>
    <method from="77938009" to="invasive"/>

    <!-- Kinds of encounter: ActEncounterCode, a few SNOMED CT codes, ranges of CPT. -->
    <visit of="act-code" oid="2.16.840.1.113883.5.4" code="AMB" to="ambulatory"/>
    <visit of="act-code" oid="2.16.840.1.113883.5.4" code="EMER" to="emergency"/>
    <visit of="act-code" oid="2.16.840.1.113883.5.4" code="FLD" to="field"/>
    <visit of="act-code" oid="2.16.840.1.113883.5.4" code="HH" to="home"/>
    <visit of="act-code" oid="2.16.840.1.113883.5.4" code="IMP" to="inpatient"/>
    <visit of="act-code" oid="2.16.840.1.113883.5.4" code="ACUTE" to="inpatient"/>
    <visit of="act-code" oid="2.16.840.1.113883.5.4" code="NONAC" to="inpatient"/>
    <visit of="act-code" oid="2.16.840.1.113883.5.4" code="SS" to="inpatient"/>
    <visit of="act-code" oid="2.16.840.1.113883.5.4" code="VR" to="virtual"/>
    <visit of="snomed" oid="2.16.840.1.113883.6.96" code="4525004" to="emergency"/>
    <visit of="snomed" oid="2.16.840.1.113883.6.96" code="50849002" to="emergency"/>
    <visit of="snomed" oid="2.16.840.1.113883.6.96" code="32485007" to="inpatient"/>
    <visit of="snomed" oid="2.16.840.1.113883.6.96" code="183452005" to="inpatient"/>
    <visit of="snomed" oid="2.16.840.1.113883.6.96" code="439708006" to="home"/>
    <visit of="snomed" oid="2.16.840.1.113883.6.96" code="185317003" to="virtual"/>
    <visit of="snomed" oid="2.16.840.1.113883.6.96" code="448337001" to="virtual"/>
    <visits first="99201" last="99215" to="ambulatory"/>
    <visits first="99221" last="99239" to="inpatient"/>
    <visits first="99241" last="99245" to="ambulatory"/>
    <visits first="99251" last="99255" to="inpatient"/>
    <visits first="99281" last="99288" to="emergency"/>
    <visits first="99341" last="99350" to="home"/>
    <visits first="99381" last="99397" to="ambulatory"/>
    <visits first="99421" last="99423" to="virtual"/>
    <visits first="99441" last="99443" to="virtual"/>

    <!-- Words for whom a reference range is, and the beginnings of words that name other groups of people and times. -->
    <sex of="male">male</sex>
    <sex of="male">males</sex>
    <sex of="male">m</sex>
    <sex of="male">man</sex>
    <sex of="male">men</sex>
    <sex of="male">248153007</sex>
    <sex of="male">mann</sex>
    <sex of="male">männer</sex>
    <sex of="male">männlich</sex>
    <sex of="male">hombre</sex>
    <sex of="male">hombres</sex>
    <sex of="male">homme</sex>
    <sex of="male">hommes</sex>
    <sex of="male">uomo</sex>
    <sex of="male">uomini</sex>
    <sex of="male">ذكر</sex>
    <sex of="male">ذكور</sex>
    <sex of="male">رجال</sex>
    <sex of="female">female</sex>
    <sex of="female">females</sex>
    <sex of="female">f</sex>
    <sex of="female">woman</sex>
    <sex of="female">women</sex>
    <sex of="female">248152002</sex>
    <sex of="female">frau</sex>
    <sex of="female">frauen</sex>
    <sex of="female">weiblich</sex>
    <sex of="female">mujer</sex>
    <sex of="female">mujeres</sex>
    <sex of="female">femme</sex>
    <sex of="female">femmes</sex>
    <sex of="female">donna</sex>
    <sex of="female">donne</sex>
    <sex of="female">أنثى</sex>
    <sex of="female">إناث</sex>
    <sex of="female">نساء</sex>
    <group>pregn</group>
    <group>child</group>
    <group>infant</group>
    <group>newborn</group>
    <group>neonat</group>
    <group>baby</group>
    <group>adult</group>
    <group>year</group>
    <group>month</group>
    <group>week</group>
    <group>trimester</group>
    <group>phase</group>
    <group>luteal</group>
    <group>follicul</group>
    <group>menopaus</group>
    <group>cycle</group>
    <group>fasting</group>
    <group>schwanger</group>
    <group>kind</group>
    <group>säugling</group>
    <group>jahr</group>
    <group>erwachsen</group>
    <group>nüchtern</group>
    <group>embaraz</group>
    <group>niñ</group>
    <group>año</group>
    <group>adult</group>
    <group>enfant</group>
    <group>grossesse</group>

    <!-- Columns whose length is not 255 characters; 0 means no limit. Values that cannot be cut without changing them
         are dropped. -->
    <column name="Allergy.notes" max="0"/>
    <column name="Equipment.description" max="0"/>
    <column name="Medication.notes" max="0"/>
    <column name="Problem.notes" max="0"/>
    <column name="LabPanel.conclusion" max="0"/>
    <column name="LabResult.notes" max="0"/>
    <column name="LabResult.value" max="0"/>
    <column name="LabResult.reference" max="0"/>
    <column name="LabResult.accession_number" max="255" drop="yes"/>
    <column name="Measurement.type" max="24" drop="yes"/>
    <column name="Measurement.unit" max="40" drop="yes"/>
    <column name="Fill.pharmacy_ncpdpid" max="255" drop="yes"/>
    <column name="Fill.provider_npi_number" max="255" drop="yes"/>
    <column name="Fill.provider_dea_number" max="255" drop="yes"/>
    <column name="Encounter.provider_npi_number" max="255" drop="yes"/>
    <column name="Encounter.provider_dea_number" max="255" drop="yes"/>
    <column name="Immunization.target_disease" max="0"/>
    <column name="Immunization.reaction" max="0"/>
    <column name="Immunization.notes" max="0"/>
    <column name="FamilyHistory.notes" max="0"/>
    <column name="AdvanceDirective.said" max="0"/>
    <column name="AdvanceDirective.notes" max="0"/>
    <column name="Coverage.notes" max="0"/>
    <column name="Goal.target" max="0"/>
    <column name="Goal.notes" max="0"/>
    <column name="CarePlan.notes" max="0"/>
    <column name="Symptom.said" max="0"/>
    <column name="Symptom.notes" max="0"/>
    <column name="CarePlan.kind" max="40"/>
    <column name="Coverage.member_id" max="255" drop="yes"/>
    <column name="VitalSigns.other_words" max="0"/>
    <column name="VitalSigns.notes" max="0"/>
    <column name="SocialHistory.notes" max="0"/>
    <column name="Procedure.comments" max="0"/>
    <column name="Procedure.name" max="100"/>
    <column name="Procedure.name_type" max="80" drop="yes"/>
    <column name="Procedure.name_value" max="40" drop="yes"/>
    <column name="Procedure.provider_name" max="200"/>
    <column name="Procedure.provider_institution" max="200"/>
    <column name="Procedure.location" max="100"/>
    <column name="StoredFile.kind" max="100"/>
    <column name="StoredFile.media_type" max="100" drop="yes"/>
    <column name="StoredFile.link" max="1000" drop="yes"/>
    <column name="SimpleClinicalNote.content" max="0"/>
    <column name="SimpleClinicalNote.visit_type" max="100"/>
    <column name="SimpleClinicalNote.visit_type_type" max="80" drop="yes"/>
    <column name="SimpleClinicalNote.visit_type_value" max="40" drop="yes"/>
    <column name="SimpleClinicalNote.specialty" max="100"/>
    <column name="SimpleClinicalNote.specialty_type" max="80" drop="yes"/>
    <column name="SimpleClinicalNote.specialty_value" max="40" drop="yes"/>
    <column name="SimpleClinicalNote.provider_name" max="200"/>
    <column name="Fill.pharmacy_adr_postalcode" max="12" drop="yes"/>
    <column name="Fill.provider_adr_postalcode" max="12" drop="yes"/>
    <column name="Fill.provider_tel_1_number" max="20" drop="yes"/>
    <column name="Fill.provider_tel_2_number" max="20" drop="yes"/>
    <column name="Fill.provider_email" max="255" drop="yes"/>
    <column name="Encounter.facility_adr_postalcode" max="12" drop="yes"/>
    <column name="Encounter.provider_adr_postalcode" max="12" drop="yes"/>
    <column name="Encounter.provider_tel_1_number" max="20" drop="yes"/>
    <column name="Encounter.provider_tel_2_number" max="20" drop="yes"/>
    <column name="Encounter.provider_email" max="255" drop="yes"/>
  </xsl:variable>

  <xsl:template name="facts">
    <xsl:param name="about"/>
    <xsl:param name="source"/>
    <xsl:param name="stated"/>
    <Drafts columns="{$columns}" terms="{$terms}" loinc="{$loinc-uri}" snomed="{$snomed-uri}" lists="{$list-uri}">
      <xsl:copy-of select="$words/reason | $unit-table/reading"/>
      <xsl:copy-of select="$about"/>
      <xsl:copy-of select="$source"/>
      <xsl:copy-of select="$stated"/>
      <xsl:apply-templates select="." mode="drafts"/>
    </Drafts>
  </xsl:template>

  <!-- One more code of what a Field names, in its attribute `also`: system|code, each encoded as in an address, and a
       space behind. -->
  <xsl:template name="also">
    <xsl:param name="system"/>
    <xsl:param name="code"/>
    <xsl:value-of select="concat(str:encode-uri($system, true()), '|', str:encode-uri($code, true()), ' ')"/>
  </xsl:template>

  <!-- The three columns of a code whose title is known; for other codes a title may be given. -->
  <xsl:template name="listed">
    <xsl:param name="field"/>
    <xsl:param name="code"/>
    <xsl:param name="system"/>
    <xsl:param name="title"/>
    <xsl:variable name="known"><xsl:for-each select="$words"><xsl:value-of select="key('term', $code)/@title"/></xsl:for-each></xsl:variable>
    <xsl:if test="string($code) != '' or string($title) != ''">
      <Field name="{$field}_identifier"><xsl:value-of select="$code"/></Field>
      <Field name="{$field}_title">
        <xsl:choose>
          <xsl:when test="$known != ''"><xsl:value-of select="$known"/></xsl:when>
          <xsl:when test="string($title) != ''"><xsl:value-of select="$title"/></xsl:when>
          <xsl:otherwise><xsl:value-of select="$code"/></xsl:otherwise>
        </xsl:choose>
      </Field>
      <xsl:if test="string($code) != ''"><Field name="{$field}_system"><xsl:value-of select="$system"/></Field></xsl:if>
    </xsl:if>
  </xsl:template>

  <!-- Words of which a text consists that names nothing: "No", "None at this time", "n/a", "keine", "ninguna conocida".
       After the first two kinds, kinds of things may follow; "Unknown drug" is a drug. Of a family, "Adopted",
       "Non-contributory" and "Alive and well" name no illness, wherever they stand. -->
  <xsl:variable name="deny-words" select="' no none nil nothing nope non not never neg negative denies denied nada ning&#xFA;n ninguna ninguno ningunas ningunos sin nein kein keine keiner keines keinerlei nichts nicht ohne entf&#xE4;llt aucun aucune n&#xE9;ant rien ras pas nessun nessuna nessuno niente geen nee niet niets ingen inga inget intet nej nei ej ikke ikkje brak nie nenhum nenhuma n&#xE3;o nao sem false &#x644;&#x627; &#x644;&#x64A;&#x633; &#x644;&#x627;&#x64A;&#x648;&#x62C;&#x62F; &#x43D;&#x435;&#x442; &#x41D;&#x435;&#x442; &#x41D;&#x415;&#x422; ob &#x306A;&#x3057; &#x7121;&#x3057; &#x65E0; &#x7121; &#x7279;&#x306B;&#x306A;&#x3057; &#x8A72;&#x5F53;&#x306A;&#x3057; &#xC5C6;&#xC74C; '"/>
  <xsl:variable name="unknown-words" select="' unknown unk ukn n/a na n/k nk unsure unbekannt unklar ka inconnu inconnue inconnus inconnues nc desconocido desconocida desconocidas desconoce sconosciuto sconosciuta sconosciute onbekend ok&#xE4;nt ok&#xE4;nda ukendt ukendte ukjent ukjente nieznane desconhecido desconhecida recorded listed documented available entered asked obtained assessed reviewed specified applicable file zutreffend angabe angaben erhoben renseign&#xE9; renseign&#xE9;e disponible aplica sabe &#x63A;&#x64A;&#x631; informado informada informados datos data donn&#xE9;e donn&#xE9;es dati dato gegevens ingevuld uppgift opplysning opplysninger oplysninger dados registrado registrada verf&#xFC;gbar disponibile beschikbaar dispon&#xED;vel tillg&#xE4;nglig tilgjengelig tilg&#xE6;ngelig dost&#x119;pne danych niewykonane &#x645;&#x62A;&#x648;&#x641;&#x631; &#x645;&#x62A;&#x648;&#x641;&#x631;&#x629; &#x645;&#x62A;&#x627;&#x62D; &#x645;&#x62A;&#x627;&#x62D;&#x629; &#x645;&#x639;&#x644;&#x648;&#x645;&#x627;&#x62A; &#x645;&#x630;&#x643;&#x648;&#x631; &#x645;&#x62D;&#x62F;&#x62F; &#x628;&#x64A;&#x627;&#x646;&#x627;&#x62A; &#x4E0D;&#x660E; '"/>
  <!-- What was done, after a word for "not". -->
  <xsl:variable name="done-words" select="' done performed executed durchgef&#xFC;hrt erfolgt gemacht realizado realizada realizados hecho hecha efectuado efectuada fatto fatta eseguito eseguita effettuato effettuata r&#xE9;alis&#xE9; r&#xE9;alis&#xE9;e effectu&#xE9; effectu&#xE9;e fait faite uitgevoerd gedaan verricht utf&#xF6;rt utf&#xF6;rd udf&#xF8;rt utf&#xF8;rt wykonano wykonane wykonany feito feita &#x645;&#x643;&#x62A;&#x645;&#x644; &#x645;&#x646;&#x62C;&#x632; '"/>
  <xsl:variable name="filling-words" select="' known at this time per patient patients pt currently current presently noted stated states reported reports says claims verbalizes endorses identified on in the of to for any and or is are was by moment today yet so far as allergies allergi allergier alergii alergie uczule&#x144; allergy allergic allergen allergens bekannt bekannte bekannten allergie allergien connu connue connus connues conocido conocida conocidas conocidos alergia alergias refiere tiene se nota noto bekend k&#xE4;nda k&#xE4;nt kendte kendt kjente kjent znane znanych conhecida conhecidas &#x64A;&#x648;&#x62C;&#x62F; &#x62A;&#x648;&#x62C;&#x62F; &#x634;&#x64A;&#x621; &#x645;&#x639;&#x631;&#x648;&#x641; &#x645;&#x639;&#x631;&#x648;&#x641;&#x629; &#x62D;&#x633;&#x627;&#x633;&#x64A;&#x629; '"/>
  <xsl:variable name="thing-words" select="' medication medications medicine medicines drug drugs food foods latex reaction reactions issues '"/>
  <xsl:variable name="well-words" select="' adopted adoption contributory noncontributory unremarkable healthy well alive living deceased dead died unauff&#xE4;llig leer gesund sano sana sanos sain saine adoptiert adoptado adoptada &#x633;&#x644;&#x64A;&#x645; '"/>
  <xsl:variable name="kin-words" select="' family history hx fhx fh fam familial changes de medical health good significant relevant pertinent contributing disease diseases condition conditions illness illnesses problem problems father mother parent parents biological birth unable obtain due information details with familienanamnese familie eltern vater mutter antecedentes antecedente familiares familiar inter&#xE9;s relevantes patol&#xF3;gicos importancia padres parents ant&#xE9;c&#xE9;dents familiaux particuliers &#x639;&#x627;&#x626;&#x644;&#x64A; &#x639;&#x627;&#x626;&#x644;&#x64A;&#x629; '"/>
  <xsl:variable name="reaction-words" select="' reaction reactions qualifier value finding type reaktion reaktionen reacci&#xF3;n reacciones r&#xE9;action r&#xE9;actions reazione reazioni reactie symptom symptoms noted &#x62A;&#x641;&#x627;&#x639;&#x644; '"/>
  <xsl:template name="says-none">
    <xsl:param name="spoken"/>
    <xsl:param name="model"/>
    <xsl:variable name="flat" select="normalize-space(translate($spoken, ',;:()[]*!?-&#x2013;&#x2014;&#x201C;&#x201D;&#x201E;&#xAB;&#xBB;&#xBF;&#xA1;&quot;.', '                    '))"/>
    <xsl:variable name="first" select="concat(' ', substring-before(concat($flat, ' '), ' '), ' ')"/>
    <xsl:variable name="of-kin" select="$model = 'FamilyHistory'"/>
    <xsl:variable name="of-reaction" select="$model = 'Reaction'"/>
    <xsl:if test="$flat != '' and string-length($flat) &lt; 100 and (contains($deny-words, $first) or contains($unknown-words, $first) or (($of-kin or $model = 'Allergy') and contains($filling-words, $first)) or ($of-reaction and contains($reaction-words, $first)) or ($of-kin and (contains($well-words, $first) or contains($kin-words, $first))))">
      <xsl:variable name="all" select="str:tokenize($flat, ' ')"/>
      <xsl:variable name="denying" select="$all[contains($deny-words, concat(' ', ., ' '))]"/>
      <xsl:variable name="unknown" select="$all[contains($unknown-words, concat(' ', ., ' ')) or $denying and contains($done-words, concat(' ', ., ' '))]"/>
      <xsl:variable name="well" select="$all[$of-kin][contains($well-words, concat(' ', ., ' '))]"/>
      <xsl:variable name="known" select="concat($deny-words, $unknown-words, $filling-words, substring($done-words, 1, 9999 * boolean($denying)), substring($thing-words, 1, 999 * boolean($denying and not($unknown))), substring(concat($well-words, $kin-words), 1, 9999 * $of-kin), substring($reaction-words, 1, 999 * $of-reaction))"/>
      <xsl:if test="($denying or $unknown or $well) and not($all[not(contains($known, concat(' ', ., ' ')))])"><xsl:value-of select="concat(substring('no_information', 1, 14 * boolean($unknown)), substring('negated', 1, 7 * not($unknown)))"/></xsl:if>
    </xsl:if>
  </xsl:template>

  <!-- "negated" if the name of a problem only says "no" and a disease: "No diabetes", "No heart disease or stroke". Without a
       word for a disease it is a problem: "No light perception", "No social support". -->
  <xsl:variable name="disease-words" select="' diabetes hypertension asthma copd cancer malignancy tumor tumour stroke seizure seizures epilepsy depression anxiety pneumonia hiv aids tuberculosis tb gout dementia migraine migraines covid infection infections disease diseases disorder disorders syndrome fracture fractures fever cough headache headaches nausea vomiting pain dyspnea diarrhea constipation rash bleeding sepsis embolism dvt cad chf ckd arrhythmia glaucoma cataract cataracts ulcer ulcers hypertonie krebs schlaganfall epilepsie fieber hipertensi&#xF3;n asma c&#xE1;ncer epilepsia fiebre infecci&#xF3;n depresi&#xF3;n ansiedad &#x633;&#x643;&#x631;&#x64A; '"/>
  <xsl:variable name="disease-ends" select="'|itis|osis|emia|noma|athy|lgia|'"/>
  <xsl:variable name="disease-fillers" select="' active acute chronic current known recent type 1 2 i ii mellitus heart kidney renal liver lung cardiac cardiovascular coronary artery pulmonary thyroid mental essential arterial chest abdominal back joint breast colon prostate skin or and nor any und oder ni o y tiene hat '"/>
  <xsl:variable name="ill-words" select="' diabetic diabetics hypertensive asthmatic epileptic anemic anaemic depressed suicidal homicidal pregnant alcoholic immunocompromised immunosuppressed septic febrile jaundiced cyanotic demented psychotic anxious dehydrated obese diabetiker diabetikerin hypertoniker hypertonikerin asthmatiker asthmatikerin schwanger diab&#xE9;tico diab&#xE9;tica hipertenso hipertensa asm&#xE1;tico asm&#xE1;tica embarazada diab&#xE9;tique hypertendu hypertendue asthmatique enceinte diabetico diabetica iperteso ipertesa '"/>
  <xsl:template name="says-no-disease">
    <xsl:param name="spoken"/>
    <!-- "Not diabetic", "Non-diabetic", "Patient is not hypertensive", and nothing else. -->
    <xsl:variable name="bare" select="translate($spoken, '.', '')"/>
    <xsl:variable name="of-what" select="concat('|', $words/denial[starts-with($bare, .)][1], '|')"/>
    <xsl:if test="$of-what != '||' and contains($ill-words, concat(' ', substring($bare, string-length($of-what) - 1), ' '))">negated</xsl:if>
    <xsl:if test="starts-with($spoken, 'no ') or starts-with($spoken, 'kein ') or starts-with($spoken, 'sin ')">
      <xsl:variable name="all" select="str:tokenize(substring-after($spoken, ' '), ' ,;/')"/>
      <xsl:variable name="diseases" select="$all[contains($disease-words, concat(' ', ., ' ')) or contains($disease-ends, concat('|', substring(., string-length() - 3), '|')) and string-length() &gt; 6]"/>
      <xsl:if test="$diseases and not($all[not(. = $diseases or contains($disease-fillers, concat(' ', ., ' ')))])">negated</xsl:if>
    </xsl:if>
  </xsl:template>

  <!-- "entered_in_error" if a clause of the name of a problem, a medicine or an act, or all of a text beside it, only says
       that the entry does not count: "Duplicate - asthma", "Gout (entered in error)", "wrong patient", "Test entry". An
       allergy that is called so is kept with these words, because it may stand nowhere else. "Duplicate kidney" and
       "Medication error" are other things. -->
  <xsl:variable name="mistaken" select="'|duplicate|duplicated|duplicate entry|duplicate record|duplicate listing|duplicate problem|duplicate diagnosis|duplicate medication|duplicate med|duplicate order|dup|dupe|deleted|deleted entry|deleted record|delete|please delete|voided|disregard|please disregard|ignore|please ignore|wrong patient|wrong person|wrong chart|wrong patient&#x2019;s chart|wrong record|belongs to wrong patient|belongs to another patient|belongs to other patient|entered on wrong patient|entered in wrong chart|charted on wrong patient|other patient|another patient|not this patient|error|erroneous|erroneous entry|erroneously entered|entered erroneously|entered in error|added in error|listed in error|charted in error|recorded in error|documented in error|entered by mistake|mistaken entry|mistake|test entry|test record|test patient|test problem|test medication|test data|dummy entry|dummy record|duplikat|doppelt|doppelter eintrag|doppeleintrag|doppelt erfasst|gelöscht|falscher patient|falsche patientin|falsche akte|irrtümlich erfasst|irrtümlich eingetragen|fehleintrag|fehleingabe|testeintrag|testpatient|duplicado|duplicada|entrada duplicada|registro duplicado|borrado|eliminado|eliminada|paciente equivocado|paciente incorrecto|otro paciente|registrado por error|registrada por error|ingresado por error|ingresada por error|entrada de prueba|registro de prueba|doublon|en double|supprimé|supprimée|mauvais patient|saisi par erreur|saisie par erreur|erreur de saisie|duplicato|doppione|errore di inserimento|dubbel|dubbele invoer|foutieve invoer|&#x645;&#x643;&#x631;&#x631;|&#x645;&#x643;&#x631;&#x631;&#x629;|&#x625;&#x62F;&#x62E;&#x627;&#x644; &#x645;&#x643;&#x631;&#x631;|&#x645;&#x62D;&#x630;&#x648;&#x641;|&#x645;&#x631;&#x64A;&#x636; &#x622;&#x62E;&#x631;|&#x623;&#x62F;&#x62E;&#x644; &#x628;&#x627;&#x644;&#x62E;&#x637;&#x623;|&#x625;&#x62F;&#x62E;&#x627;&#x644; &#x62A;&#x62C;&#x631;&#x64A;&#x628;&#x64A;|'"/>
  <!-- Words that say so of what follows them, and what is only a test where it is all there is. -->
  <xsl:variable name="mistaken-of" select="'|duplicate of |duplicate entry |duplicate record |duplicate listing |deleted entry |test entry |entered in error |doppeleintrag |duplikat von |entrada duplicada |registro duplicado |doublon de |'"/>
  <xsl:variable name="mistaken-alone" select="'|test|test test|testing|zztest|xxx|asdf|prueba|essai|&#x62A;&#x62C;&#x631;&#x628;&#x629;|'"/>
  <xsl:template name="says-mistake">
    <xsl:param name="spoken"/>
    <!-- Whether it is a text beside the name, which says so with all of its words only. -->
    <xsl:param name="whole" select="false()"/>
    <xsl:variable name="clauses" select="str:tokenize(str:replace(str:replace($spoken, ' - ', ';'), &quot;'&quot;, '&#x2019;'), ',;:.()[]*!&#x2013;&#x2014;&quot;')[normalize-space()]"/>
    <xsl:variable name="genes" select="contains($spoken, ',')"/>
    <xsl:choose>
      <xsl:when test="contains($mistaken-alone, concat('|', $spoken, '|'))">entered_in_error</xsl:when>
      <xsl:when test="$whole and $clauses[not(contains($mistaken, concat('|', normalize-space(), '|')))]"/>
      <!-- "22q11, deleted" is about a chromosome. -->
      <xsl:when test="$clauses[contains($mistaken, concat('|', normalize-space(), '|'))][not($genes and contains(., 'deleted'))]">entered_in_error</xsl:when>
      <xsl:when test="str:tokenize($mistaken-of, '|')[starts-with($spoken, .)]">entered_in_error</xsl:when>
    </xsl:choose>
  </xsl:template>

  <!-- Why a name (the fields of a coded value) makes no fact of the model: it says that there is nothing, or that
       nothing is known. Empty when it names something. -->
  <xsl:template name="absence">
    <xsl:param name="name"/>
    <xsl:param name="model"/>
    <xsl:variable name="spoken"><xsl:call-template name="plain-words"><xsl:with-param name="words" select="$name[not(contains(@name, '_identifier') or contains(@name, '_system'))]"/></xsl:call-template></xsl:variable>
    <xsl:variable name="code" select="$name[contains(@name, '_identifier')]"/>
    <!-- Nearly all names begin with other letters and need no further check. -->
    <xsl:variable name="denied" select="$words[contains($ends, concat('|denied ', substring($spoken, string-length($spoken) - 3), '|'))]/denied[substring($spoken, string-length($spoken) - string-length(@ends) + 1) = @ends][not(@alone) or not(contains($spoken, ',') or contains($spoken, ';') or contains($spoken, ' with '))][not(@of) or @of = $model][not($words/undenied[substring($spoken, string-length($spoken) - string-length(@ends) + 1) = @ends])]"/>
    <xsl:variable name="by-rows"><xsl:if test="$denied or contains($nothings, concat('|', $code, '|')) or contains($nothings, concat('|', substring($spoken, 1, 3), '|'))">
      <xsl:variable name="row" select="($denied | $words/nothing[@code = $code] | $words/nothing[@text = $spoken][not(@of) or @of = $model]
                                        | $words/nothing[@words][starts-with($spoken, @words)][contains($spoken, @and)][not(@of) or @of = $model or ($model = 'FamilyHistory' and @of = 'Problem')])[1]"/>
      <xsl:variable name="exception"><xsl:call-template name="exception"><xsl:with-param name="spoken" select="$spoken"/><xsl:with-param name="event" select="boolean($row/@unknown)"/></xsl:call-template></xsl:variable>
      <!-- "No drug allergies; peanuts": who denies all of a kind first, and then names something, has that. -->
      <xsl:variable name="clauses" select="str:tokenize($spoken, ';,:.(')[normalize-space()][$model = 'Allergy']"/>
      <xsl:variable name="named-after" select="$clauses[2] and not(str:tokenize($clauses[1], ' -/*')[not(contains($plain, concat(' ', ., ' ')))]) and $clauses[position() &gt; 1][not(starts-with(normalize-space(), 'tolerat'))][str:tokenize(., ' -/*)')[not(contains($silent-words, concat(' ', ., ' ')) or translate(., '0123456789', '') = '')]]"/>
      <!-- "No known problems except asthma" names something. -->
      <xsl:if test="$row and $exception = '' and not($named-after)"><xsl:value-of select="concat(substring('no_information', 1, 14 * boolean($row/@unknown)), substring('negated', 1, 7 * not($row/@unknown)))"/></xsl:if>
    </xsl:if></xsl:variable>
    <xsl:value-of select="$by-rows"/>
    <xsl:if test="$by-rows = '' and $model = 'Problem'"><xsl:call-template name="says-no-disease"><xsl:with-param name="spoken" select="$spoken"/></xsl:call-template></xsl:if>
    <xsl:if test="$by-rows = ''"><xsl:call-template name="says-none"><xsl:with-param name="spoken" select="$spoken"/><xsl:with-param name="model" select="$model"/></xsl:call-template></xsl:if>
    <xsl:if test="$by-rows = '' and $spoken != ''">
      <xsl:if test="$model != 'Reaction' and $model != 'FamilyHistory'"><xsl:call-template name="says-mistake"><xsl:with-param name="spoken" select="$spoken"/><xsl:with-param name="whole" select="$model = 'Allergy'"/></xsl:call-template></xsl:if>
      <xsl:variable name="flat" select="normalize-space(translate($spoken, '.:;,()*', '       '))"/>
      <xsl:if test="contains(' see same as ditto siehe wie ver voir zie &#x627;&#x646;&#x638;&#x631; ', concat(' ', substring-before(concat($flat, ' '), ' '), ' ')) and not(str:tokenize($flat, ' ')[not(contains($elsewhere, concat(' ', ., ' ')))])">no_information</xsl:if>
    </xsl:if>
  </xsl:template>
  <!-- The words of a text that only points to another place: "See above", "see med list". -->
  <xsl:variable name="elsewhere" select="' see as same ditto above below note notes chart comment comments list lists med meds medication medications problem problems allergy allergies the hpi record records report attached scanned prior previous other siehe wie oben unten liste anlage brief ver arriba abajo nota notas lista voir ci-dessus plus haut liste zie boven lijst &#x627;&#x646;&#x638;&#x631; &#x623;&#x639;&#x644;&#x627;&#x647; '"/>

  <!-- What the sender says in the place of a reaction, where this names none: "None", "N/A", "Unknown". It is told in the
       notes, as " Reaction: None.", and is no reaction. -->
  <xsl:template name="no-reaction">
    <xsl:param name="name"/>
    <xsl:variable name="none"><xsl:call-template name="absence"><xsl:with-param name="name" select="$name"/><xsl:with-param name="model" select="'Reaction'"/></xsl:call-template></xsl:variable>
    <xsl:if test="$none != ''"><xsl:value-of select="concat(' Reaction: ', $name[contains(@name, '_title')], '.')"/></xsl:if>
  </xsl:template>

  <!-- "negated" if words beside a code deny just what the code names: "Denied asthma" beside "Asthma". "No evidence of
       recurrence" beside "Cancer" does not. -->
  <xsl:template name="denied-beside">
    <xsl:param name="text"/>
    <xsl:param name="title"/>
    <xsl:param name="model"/>
    <xsl:variable name="spoken"><xsl:call-template name="plain-words"><xsl:with-param name="words" select="$text"/></xsl:call-template></xsl:variable>
    <xsl:if test="$spoken != '' and contains($nothings, concat('|', substring($spoken, 1, 3), '|'))">
      <xsl:variable name="called"><xsl:call-template name="plain-words"><xsl:with-param name="words" select="$title"/></xsl:call-template></xsl:variable>
      <xsl:variable name="rest"><xsl:for-each select="$words/nothing[@of = $model][@words][not(@unknown)][starts-with($spoken, @words)]"><xsl:value-of select="concat('|', normalize-space(translate(substring-after($spoken, @words), '.', '')), '|')"/></xsl:for-each></xsl:variable>
      <xsl:variable name="plain-no" select="concat('|no ', $called, '|kein ', $called, '|keine ', $called, '|sin ', $called, '|')"/>
      <xsl:if test="$called != '' and (contains($rest, concat('|', $called, '|')) or ($model = 'Problem' and contains($plain-no, concat('|', $spoken, '|'))))">negated</xsl:if>
    </xsl:if>
  </xsl:template>

  <!-- The exclusion that a name states which makes no fact of the model: nothing where it does not say plainly that
       there is none of them, or where anything is said beside it. -->
  <xsl:template name="none-known">
    <xsl:param name="name"/>
    <xsl:param name="model"/>
    <xsl:param name="beside"/>
    <xsl:param name="negated" select="false()"/>
    <xsl:variable name="spoken"><xsl:call-template name="plain-words"><xsl:with-param name="words" select="$name[not(contains(@name, '_identifier') or contains(@name, '_system'))]"/></xsl:call-template></xsl:variable>
    <xsl:variable name="code" select="$name[contains(@name, '_identifier')]"/>
    <xsl:variable name="row" select="$words/none[@of = $model][@code = $code or @text = $spoken][boolean(@negated) = boolean($negated)][1]"/>
    <xsl:variable name="plain-none" select="concat(' ', normalize-space($words/none-words), ' ')"/>
    <xsl:variable name="more" select="str:tokenize($spoken, ' ,;:.()[]/*!-')[not(contains($plain-none, concat(' ', ., ' ')))][. != $row/@code]"/>
    <xsl:if test="$row and not($more) and normalize-space($beside) = ''">
      <Model name="AllergyExclusion">
        <xsl:call-template name="identity"/>
        <xsl:call-template name="listed">
          <xsl:with-param name="field" select="'name'"/>
          <xsl:with-param name="code" select="string($row/@to)"/>
          <xsl:with-param name="system" select="$snomed-uri"/>
          <xsl:with-param name="title" select="string($row/@title)"/>
        </xsl:call-template>
      </Model>
    </xsl:if>
  </xsl:template>

  <!-- Words of a clause that only says who said it, when, and that it was looked at: "No allergies, reviewed by patient". -->
  <xsl:variable name="silent-words" select="concat($plain, $deny-words, $unknown-words, $filling-words, translate($taker-words, '&#10;', ' '), $relatives)"/>

  <!-- Whether the words beside a code for "nothing" name something: "yes", or nothing. -->
  <xsl:template name="names-something">
    <xsl:param name="spoken"/>
    <xsl:variable name="none" select="' no not none nil nothing nka nkda negative denies denied unknown zero never absence absent patient pt keine kein keinerlei nicht aucun aucune pas non sin ningún ninguna nessun nessuna geen niet nenhuma sem allergies allergy allergien allergie alergias '"/>
    <xsl:variable name="first" select="str:tokenize($spoken, ' ,;:.()[]/*!-')[1]"/>
    <xsl:if test="$first and not(contains($none, concat(' ', $first, ' ')))">yes</xsl:if>
  </xsl:template>

  <!-- Whether words say that something is there after all: "yes", or nothing. -->
  <xsl:template name="exception">
    <xsl:param name="spoken"/>
    <xsl:param name="event" select="true()"/>
    <xsl:variable name="flat" select="concat(' ', normalize-space(translate($spoken, ',;:.()[]/*!-', '            ')), ' ')"/>
    <xsl:if test="$words/exception[not(@event) or $event][contains($flat, @words)]">yes</xsl:if>
  </xsl:template>

  <!-- What each of the names of an allergy says, and then what all of them and the code of an exclusion say together. -->
  <xsl:template name="exclusion-sayings">
    <xsl:param name="names"/>
    <xsl:for-each select="$names">
      <xsl:variable name="spoken"><xsl:call-template name="plain-words"><xsl:with-param name="words" select="."/></xsl:call-template></xsl:variable>
      <xsl:variable name="told" select="substring($spoken, string-length($words/report[starts-with($spoken, .)][1]) + 1)"/>
      <xsl:variable name="short" select="translate($told, '. *', '')"/>
      <said words="{normalize-space()}"><xsl:call-template name="exclusion-said"><xsl:with-param name="spoken" select="concat(substring($short, 1, 4 * contains('|nka|nkda|nkma|nkfa|', concat('|', $short, '|'))), substring(normalize-space(translate($told, '*', ' ')), 1, 9999 * not(contains('|nka|nkda|nkma|nkfa|', concat('|', $short, '|')))))"/></xsl:call-template></said>
    </xsl:for-each>
  </xsl:template>

  <xsl:template name="exclusion">
    <xsl:param name="coded"/>
    <xsl:param name="sayings"/>
    <xsl:choose>
      <xsl:when test="$sayings = 'there'">there</xsl:when>
      <xsl:when test="$sayings = 'said' or (string($coded) != '' and $sayings[. != '' and . != $coded])">said</xsl:when>
      <xsl:when test="string($coded) != ''"><xsl:value-of select="$coded"/></xsl:when>
      <xsl:otherwise><xsl:value-of select="$sayings[. != ''][1]"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- What a text that begins like "no known allergies" says: nothing when it does not begin so; "there" when it also
       names something that is there ("no known allergies, except sulfa"); the code of the exclusion when it says that
       and no more; "said" when it says more or less ("no known allergies to bees"), so that only its own words are
       true. -->
  <xsl:template name="exclusion-said">
    <xsl:param name="spoken"/>
    <xsl:variable name="row" select="$words/exclusion[@words][starts-with($spoken, @words)][1]"/>
    <xsl:if test="$row">
      <xsl:variable name="exception"><xsl:call-template name="exception"><xsl:with-param name="spoken" select="$spoken"/></xsl:call-template></xsl:variable>
      <xsl:variable name="more"><xsl:for-each select="str:tokenize($spoken, ' ,;:.()[]/*!-')[not(contains($plain, concat(' ', ., ' ')))]">+</xsl:for-each></xsl:variable>
      <!-- A second clause after a comma and the like names something of its own; a time or a name of who said so does
           not, but nobody can tell, and an allergy too many is read with its words. -->
      <xsl:variable name="clause" select="substring-after(translate($spoken, ';:.(/&#x2013;&#x2014;+&amp;', ',,,,,,,,,'), ',')"/>
      <xsl:variable name="second"><xsl:for-each select="str:tokenize($clause, ' ,;:.()[]/*!-')[not(contains($silent-words, concat(' ', ., ' ')) or translate(., '0123456789', '') = '')]">+</xsl:for-each></xsl:variable>
      <xsl:variable name="to-what" select="contains(substring-before(concat(translate($spoken, ';:.(', ',,,,'), ','), ','), ' to ')"/>
      <xsl:choose>
        <xsl:when test="$exception != '' or ($second != '' and not($to-what))">there</xsl:when>
        <xsl:when test="$more != '' or $words/kind[contains($spoken, @words)][@of != $row/@to]">said</xsl:when>
        <xsl:otherwise><xsl:value-of select="$row/@to"/></xsl:otherwise>
      </xsl:choose>
    </xsl:if>
  </xsl:template>

  <!-- Whether words, each of them between bars and in small letters, name the sex of the person: y, n, or u where that is
       not certain. -->
  <xsl:template name="sex-fits">
    <xsl:param name="said"/>
    <xsl:param name="sex"/>
    <xsl:variable name="male" select="boolean($words/sex[@of = 'male'][contains($said, concat('|', ., '|'))])"/>
    <xsl:variable name="female" select="boolean($words/sex[@of = 'female'][contains($said, concat('|', ., '|'))])"/>
    <xsl:choose>
      <xsl:when test="$male = $female or not($sex = 'male' or $sex = 'female')">u</xsl:when>
      <xsl:when test="($male and $sex = 'male') or ($female and $sex = 'female')">y</xsl:when>
      <xsl:otherwise>n</xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- The same for an age in years; the two days are written 20240131. -->
  <xsl:template name="years-fit">
    <xsl:param name="low"/>
    <xsl:param name="high"/>
    <xsl:param name="born"/>
    <xsl:param name="day"/>
    <xsl:variable name="age" select="floor(($day - $born) div 10000)"/>
    <xsl:choose>
      <xsl:when test="string-length($born) != 8 or string-length($day) != 8 or not($age &gt;= 0)">u</xsl:when>
      <xsl:when test="$low &gt; $age or $high &lt; $age">n</xsl:when>
      <xsl:otherwise>y</xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- The words of a source beside the name of a test or reading, where they say what it was of: "Birth weight" beside
       "Body weight", "Glucose fasting" beside "Glucose". With `any`, also where they name something else. -->
  <xsl:variable name="telling-words" select="' target goal birth newborn fetal foetal fetus skin reported stated ideal dry lean adjusted predicted estimated maximum minimum peak average mean resting standing sitting supine lying orthostatic fasting random post after pre before hour hours 1h 2h urine cord capillary maternal donor mother father baby ankle wrist thigh ziel geburt geburtsgewicht n&#xFC;chtern urin mutter objetivo nacimiento ayunas orina naissance jeun '"/>
  <xsl:template name="words-of-test">
    <xsl:param name="text"/>
    <xsl:param name="title"/>
    <xsl:param name="any" select="false()"/>
    <!-- Most senders only repeat the name. -->
    <xsl:variable name="spoken"><xsl:if test="string($text) != string($title)"><xsl:call-template name="plain-words"><xsl:with-param name="words" select="$text"/></xsl:call-template></xsl:if></xsl:variable>
    <xsl:variable name="called"><xsl:if test="$spoken != ''"><xsl:call-template name="plain-words"><xsl:with-param name="words" select="$title"/></xsl:call-template></xsl:if></xsl:variable>
    <xsl:if test="$spoken != '' and not(contains($called, $spoken))">
      <xsl:variable name="marks" select="' ,;:.()[]/*!-'"/>
      <xsl:variable name="known" select="concat(' ', translate($called, $marks, '            '), ' ')"/>
      <xsl:variable name="parts" select="str:tokenize($spoken, $marks)"/>
      <xsl:variable name="long" select="$parts[string-length() &gt; 4]"/>
      <xsl:if test="$parts[contains($telling-words, concat(' ', ., ' '))][not(contains($known, concat(' ', ., ' ')))]
                    or ($any and $called != '' and $long and not($parts[contains($known, concat(' ', ., ' '))]) and str:tokenize($called, $marks)[string-length() &gt; 4])"><xsl:value-of select="concat(' In the words of the source: ', normalize-space($text), '.')"/></xsl:if>
    </xsl:if>
  </xsl:template>

  <!-- The names of further codes of a statement, each given by a line of `said`, that have no word in common with its own
       name: "COPD" beside "Asthma". -->
  <xsl:variable name="usual-words" select="' unspecified disorder disease other without with acute chronic finding allergy syndrome left right '"/>
  <xsl:template name="other-names">
    <xsl:param name="said"/>
    <xsl:param name="title"/>
    <xsl:variable name="marks">,;:.()[]/*!-'"</xsl:variable>
    <xsl:variable name="called"><xsl:call-template name="plain-words"><xsl:with-param name="words" select="translate($title, $marks, '                ')"/></xsl:call-template></xsl:variable>
    <xsl:variable name="whole" select="concat(' ', $called)"/>
    <xsl:variable name="own" select="str:tokenize($called, ' ')[string-length() &gt; 3][not(contains($usual-words, concat(' ', ., ' ')))]"/>
    <xsl:if test="$own">
      <xsl:for-each select="str:tokenize($said, '&#10;')[normalize-space() != '']">
        <xsl:variable name="spoken"><xsl:call-template name="plain-words"><xsl:with-param name="words" select="translate(., $marks, '                ')"/></xsl:call-template></xsl:variable>
        <xsl:variable name="words-said" select="str:tokenize($spoken, ' ')"/>
        <xsl:variable name="long" select="$words-said[string-length() &gt; 3][not(contains($usual-words, concat(' ', ., ' ')))]"/>
        <xsl:if test="$long and not($words-said[contains($whole, concat(' ', substring(., 1, 4))) and string-length() &gt; 2][not(contains($usual-words, concat(' ', ., ' ')))])"><xsl:value-of select="concat(' Another of its codes: ', normalize-space(), '.')"/></xsl:if>
      </xsl:for-each>
    </xsl:if>
  </xsl:template>

  <!-- Whether the words of a source say that a reading is none of the person's body as it is: "yes", or nothing. -->
  <xsl:variable name="other-things" select="' target goal birth fetal foetal fetus ideal predicted skin room maternal donor mother father baby ziel geburtsgewicht objetivo nacimiento naissance '"/>
  <xsl:template name="other-thing">
    <xsl:param name="text"/>
    <xsl:if test="normalize-space($text) != ''">
      <xsl:variable name="spoken"><xsl:call-template name="plain-words"><xsl:with-param name="words" select="$text"/></xsl:call-template></xsl:variable>
      <xsl:if test="str:tokenize($spoken, ' ,;:.()[]/*!-')[contains($other-things, concat(' ', ., ' '))]">yes</xsl:if>
    </xsl:if>
  </xsl:template>

  <!-- Whether a name says that somebody of the family has it: "yes", or nothing. Who only reports it does not have it.
       With `anywhere`, whoever has it may be named behind it, too: "Penicillin (mother)". In a problem, a mother there
       may be the person: "Anaemia in mother complicating pregnancy". -->
  <xsl:variable name="relatives" select="' mother mothers mom mum dad father fathers parent parents brother brothers sister sisters sibling siblings son daughter grandmother grandfather grandparent aunt uncle cousin husband wife spouse maternal paternal mutter vater eltern bruder schwester tochter sohn gro&#xDF;mutter gro&#xDF;vater tante onkel ehemann ehefrau madre padre hermano hermana hijo hija abuela abuelo marido esposa m&#xE8;re p&#xE8;re fr&#xE8;re s&#x153;ur &#x627;&#x644;&#x623;&#x645; &#x627;&#x644;&#x623;&#x628; &#x648;&#x627;&#x644;&#x62F;&#x629; &#x648;&#x627;&#x644;&#x62F; '"/>
  <xsl:variable name="family-fillers" select="' of in the a s patient patients pt pts her his only side history hx relative der die des von bei el la de du del seine ihre '"/>
  <xsl:template name="of-family">
    <xsl:param name="name"/>
    <xsl:param name="anywhere" select="false()"/>
    <!-- Whether they may stand behind it by themselves only. -->
    <xsl:param name="apart" select="$anywhere"/>
    <xsl:variable name="spoken"><xsl:call-template name="plain-words"><xsl:with-param name="words" select="$name"/></xsl:call-template></xsl:variable>
    <xsl:variable name="marks">,;:.()[]/*!-&#x2013;&#x2014;&#x2019;"'</xsl:variable>
    <xsl:variable name="flat" select="concat(' ', normalize-space(translate($spoken, $marks, '                                ')), ' ')"/>
    <xsl:variable name="all" select="str:tokenize($flat, ' ')"/>
    <xsl:variable name="who" select="$all[contains($relatives, concat(' ', ., ' '))]"/>
    <xsl:variable name="first" select="$all[not(contains($family-fillers, concat(' ', ., ' ')))][1]"/>
    <xsl:variable name="bracket" select="str:tokenize(translate(substring-before(substring-after($spoken, '('), ')'), $marks, '                                '), ' ')[substring($spoken, string-length($spoken)) = ')']"/>
    <xsl:variable name="had"><xsl:for-each select="$who"><xsl:variable name="one" select="."/><xsl:if test="$words/family[@before][contains($flat, concat(' ', @before, ' ', $one, ' '))]">yes</xsl:if></xsl:for-each></xsl:variable>
    <xsl:choose>
      <xsl:when test="$words[contains($begins, concat('|family ', substring($flat, 2, 3), '|')) or contains($begins, concat('|family ', substring($spoken, 1, 3), '|')) or contains($spoken, '(')]/family[@begins][starts-with($flat, concat(' ', @begins)) or starts-with($spoken, @begins) or contains($spoken, concat('(', @begins, ' '))]">yes</xsl:when>
      <xsl:when test="not($who) or $words/family[@reported][contains($flat, @reported)]"/>
      <xsl:when test="$first[. = $who] and $words/family[@after][contains($flat, concat(' ', $first, ' ', @after))]">yes</xsl:when>
      <xsl:when test="$anywhere and $had != ''">yes</xsl:when>
      <!-- "Diabetes (husband)", also of a problem. -->
      <xsl:when test="$bracket[contains($relatives, concat(' ', ., ' '))] and not($bracket[not(contains($relatives, concat(' ', ., ' ')) or contains($family-fillers, concat(' ', ., ' ')))])">yes</xsl:when>
      <xsl:otherwise>
        <xsl:for-each select="str:tokenize(str:replace($spoken, ' - ', ';'), ',;:()[]/&#x2013;&#x2014;')[normalize-space()][position() = 1 or $apart]">
          <xsl:variable name="parts" select="str:tokenize(translate(., $marks, '                                '), ' ')"/>
          <xsl:if test="$parts[contains($relatives, concat(' ', ., ' '))] and not($parts[not(contains($relatives, concat(' ', ., ' ')) or contains($family-fillers, concat(' ', ., ' ')))])">yes</xsl:if>
        </xsl:for-each>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- "other_person" if the name of a medicine or an act says that it is that of a relative: "Albuterol (son)". -->
  <xsl:template name="of-relative">
    <xsl:param name="name"/>
    <xsl:variable name="whose"><xsl:call-template name="of-family"><xsl:with-param name="name" select="$name"/><xsl:with-param name="apart" select="true()"/></xsl:call-template></xsl:variable>
    <xsl:if test="$whose != ''">other_person</xsl:if>
  </xsl:template>

  <!-- Why what is named so makes no fact by its names and by the texts beside it, which say so with all of their words: it
       is a mistake, or a medicine of somebody else. -->
  <xsl:template name="not-counted">
    <xsl:param name="names"/>
    <xsl:param name="remarks"/>
    <xsl:param name="model"/>
    <xsl:variable name="why">
      <xsl:for-each select="$names | $remarks[string-length() &lt; 80]">
        <xsl:variable name="beside" select="count(. | $remarks) = count($remarks)"/>
        <xsl:variable name="spoken"><xsl:call-template name="plain-words"><xsl:with-param name="words" select="."/></xsl:call-template></xsl:variable>
        <xsl:variable name="mistake"><xsl:call-template name="says-mistake"><xsl:with-param name="spoken" select="$spoken"/><xsl:with-param name="whole" select="$beside"/></xsl:call-template></xsl:variable>
        <xsl:variable name="whose"><xsl:if test="$model = 'Medication'"><xsl:call-template name="for-others"><xsl:with-param name="name" select="."/><xsl:with-param name="whole" select="$beside"/></xsl:call-template></xsl:if></xsl:variable>
        <xsl:value-of select="concat($mistake, ' ', $whose, ' ')"/>
      </xsl:for-each>
    </xsl:variable>
    <xsl:value-of select="substring-before(concat(normalize-space($why), ' '), ' ')"/>
  </xsl:template>

  <!-- "other_person" if the name of a medicine, or all of a text beside it, says that it is for somebody else, or somebody
       else's: "Metformin for wife", "husband's medication: lisinopril", "For dog". What is done for somebody may be done to
       the person ("Kidney donation for sister"), and "takes husband's lorazepam" says who takes it. -->
  <xsl:variable name="others" select="concat($relatives, 'partner girlfriend boyfriend fianc&#xE9; fianc&#xE9;e friend neighbor neighbour roommate grandson granddaughter grandma grandpa nephew niece dog cat pet horse frau mann partnerin freund freundin enkel hund katze esposo pareja novio novia amigo amiga nieto nieta suegra perro gato femme mari &#xE9;pouse &#xE9;poux conjoint conjointe fils fille chien chat moglie marito figlio figlia nonna nonno cane gatto moeder vader zoon dochter echtgenoot hond kat &#x632;&#x648;&#x62C;&#x62A;&#x647; &#x632;&#x648;&#x62C;&#x647;&#x627; &#x627;&#x628;&#x646;&#x647; &#x627;&#x628;&#x646;&#x62A;&#x647; &#x644;&#x632;&#x648;&#x62C;&#x62A;&#x647; &#x644;&#x632;&#x648;&#x62C;&#x647;&#x627; &#x644;&#x627;&#x628;&#x646;&#x647; &#x644;&#x627;&#x628;&#x646;&#x62A;&#x647; ')"/>
  <xsl:variable name="for-others" select="' for belongs to is this her his my the patient pt s f&#xFC;r den die das seine ihre seinen ihren geh&#xF6;rt der dem para su la el es de pour sa son per il suo sua voor zijn haar only not &#x644;&#x640; '"/>
  <xsl:variable name="goods" select="' medication medications medicine medicines med meds drug drugs prescription prescriptions rx pills pill tablets inhaler medikament medikamente medizin tabletten rezept medicamento medicamentos medicina receta m&#xE9;dicament m&#xE9;dicaments traitement ordonnance farmaco medicijn medicijnen &#x62F;&#x648;&#x627;&#x621; '"/>
  <xsl:template name="for-others">
    <xsl:param name="name"/>
    <!-- Whether it is a text beside the name. -->
    <xsl:param name="whole" select="false()"/>
    <xsl:variable name="spoken"><xsl:call-template name="plain-words"><xsl:with-param name="words" select="$name"/></xsl:call-template></xsl:variable>
    <xsl:variable name="clauses" select="str:tokenize(str:replace($spoken, ' - ', ';'), ',;:.()[]/*!&#x2013;&#x2014;&quot;')[normalize-space()]"/>
    <xsl:variable name="said">
      <xsl:for-each select="$clauses">
        <xsl:variable name="parts" select="str:tokenize(translate(., &quot;'&#x2019;&quot;, '  '), ' ')"/>
        <xsl:variable name="who" select="$parts[contains($others, concat(' ', ., ' '))][last()]"/>
        <xsl:variable name="giving" select="$parts[contains(' for f&#xFC;r para pour per voor ', concat(' ', ., ' '))][last()]"/>
        <xsl:choose>
          <xsl:when test="not($who) or $parts[contains($take-words, concat(' ', ., ' '))]"/>
          <!-- "Husband's medication", "for my daughter", by themselves. -->
          <xsl:when test="not($parts[not(contains(concat($others, $for-others, $goods), concat(' ', ., ' ')))]) and ($parts[2] or starts-with($parts[1], '&#x644;'))">whole </xsl:when>
          <!-- "Metformin for wife", at the end of the clause. -->
          <xsl:when test="$giving and not($giving/following-sibling::*[not(contains(concat($others, $for-others), concat(' ', ., ' ')))]) and $giving/following-sibling::*[. = $who]">part </xsl:when>
          <!-- "Wife's prescription metformin". -->
          <xsl:when test="$parts[1] = $who and $parts[2] = 's' and contains($goods, concat(' ', $parts[3], ' '))">part </xsl:when>
          <xsl:otherwise>none </xsl:otherwise>
        </xsl:choose>
      </xsl:for-each>
    </xsl:variable>
    <xsl:if test="($whole and $said = 'whole ' and not($clauses[2])) or (not($whole) and (contains($said, 'whole') or contains($said, 'part')))">other_person</xsl:if>
  </xsl:template>

  <!-- A problem of the family, in the words of its source. -->
  <xsl:template name="family-problem">
    <xsl:param name="name"/>
    <xsl:variable name="none"><xsl:call-template name="absence"><xsl:with-param name="name" select="$name"/><xsl:with-param name="model" select="'FamilyHistory'"/></xsl:call-template></xsl:variable>
    <Field name="relation_title">Family member</Field>
    <xsl:for-each select="$name[$none = '']"><Field name="{concat('condition', substring-after(@name, 'name'))}"><xsl:copy-of select="@also"/><xsl:value-of select="."/></Field></xsl:for-each>
  </xsl:template>

  <!-- What is said of a family, where it names no illness: "Adopted, unknown". -->
  <xsl:template name="no-illness">
    <xsl:param name="name"/>
    <xsl:variable name="none"><xsl:call-template name="absence"><xsl:with-param name="name" select="$name"/><xsl:with-param name="model" select="'FamilyHistory'"/></xsl:call-template></xsl:variable>
    <xsl:if test="$none != ''"><xsl:value-of select="concat(' In the words of the source: ', $name[contains(@name, '_title')], '.')"/></xsl:if>
  </xsl:template>

  <!-- How certain a name of an illness or an allergy is by its words, which stand at its beginning ("R/O pneumonia"), by
       themselves at its end ("Pneumonia (suspected)"), or between two of which it is one ("asthma vs. COPD"): a code of
       HL7, or nothing. Words in the midst may be about something else: "Pneumonia, likely bacterial". -->
  <xsl:variable name="unsure-first" select="'|?|unlikely|low suspicion|ausschluss|r/o|r.o.|rule out|rule-out|query|suspect|suspected|suspicion|suspicious for|susp|susp.|possible|possibly|poss|poss.|probable|probably|prob|prob.|likely|presumed|presumptive|provisional|questionable|unconfirmed|not confirmed|doubtful|concern for|cannot rule out|cannot exclude|can not exclude|could be|might be|v.a.|va.|v. a.|v.a|verdacht|verdachtsdiagnose|z.a.|z. a.|zum ausschluss|a.e.|a. e.|am ehesten|möglich|mögliche|möglicher|mögliches|möglicherweise|wahrscheinlich|wahrscheinliche|wahrscheinlicher|wahrscheinliches|fraglich|fragliche|fraglicher|fragliches|vermutlich|vermutliche|vermuteter|vermutete|sospecha|sospechoso|sospechosa|posible|descartar|a descartar|por confirmar|sin confirmar|presunto|presunta|suspicion de|suspecté|suspectée|suspect|possible|sospetto|sospetta|possibile|probabile|suspeita|possível|provável|verdenking|mogelijk|mogelijke|obs. pro|obs pro|mistanke|mistænkt|misstänkt|misstanke|podejrzenie|اشتباه|الاشتباه|يشتبه|محتمل|محتملة|احتمال|'"/>
  <xsl:variable name="unsure-last" select="'|?|unlikely|z.a.|z. a.|r/o|rule out|rule-out|suspected|possible|probable|likely|presumed|presumptive|provisional|questionable|unconfirmed|not confirmed|be confirmed|unsure|uncertain|not sure|not ruled out|ruled out|be ruled out|not excluded|be excluded|v.a.|v. a.|verdacht|verdachtsdiagnose|zum ausschluss|nicht ausgeschlossen|möglich|wahrscheinlich|fraglich|unbestätigt|sospecha|posible|a descartar|por descartar|por confirmar|sin confirmar|no confirmado|no confirmada|à confirmer|à exclure|suspecté|suspectée|غير مؤكد|غير مؤكدة|محتمل|محتملة|'"/>
  <xsl:variable name="one-of-several" select="'|dd|dd:|ddx|ddx:|d.d.|d/d|differential|differentialdiagnose|differenzialdiagnose|differenzialdiagnosen|diagnóstico diferencial|diagnostic différentiel|'"/>
  <xsl:template name="unsure-words">
    <xsl:param name="name"/>
    <xsl:variable name="spoken"><xsl:call-template name="plain-words"><xsl:with-param name="words" select="$name"/></xsl:call-template></xsl:variable>
    <xsl:variable name="marks">,;()[]–—"¿</xsl:variable>
    <!-- "DD:" is about diagnoses, "DD (developmental delay)" is not. -->
    <xsl:variable name="flat" select="normalize-space(translate(str:replace(str:replace($spoken, '?', ' ? '), ':', ': '), $marks, '           '))"/>
    <xsl:variable name="all" select="str:tokenize($flat, ' ')[. != '-']"/>
    <xsl:variable name="count" select="count($all)"/>
    <!-- Japanese has no spaces, and says it at the end. -->
    <xsl:if test="substring($spoken, string-length($spoken) - 2) = 'の疑い'">unconfirmed</xsl:if>
    <xsl:if test="$count &gt; 1">
      <xsl:variable name="bare" select="translate($all[1], ':', '')"/>
      <xsl:variable name="two" select="concat($bare, ' ', translate($all[2], ':', ''))"/>
      <xsl:variable name="end" select="concat(substring-before(concat($all[$count], '|'), '.|'), substring($all[$count], 1, 99 * not(contains(concat($all[$count], '|'), '.|'))))"/>
      <xsl:variable name="clauses" select="count(str:tokenize($spoken, ',;'))"/>
      <xsl:variable name="alone" select="$clauses = 1 or ($clauses = 2 and contains($unsure-last, concat('|', normalize-space(translate(substring-after(translate($spoken, ';', ','), ','), '.', '')), '|')))"/>
      <xsl:choose>
        <!-- Q fever, and what names its own question. -->
        <xsl:when test="starts-with($spoken, 'query fever') or starts-with($spoken, 'likely to ')"/>
        <xsl:when test="contains($one-of-several, concat('|', $all[1], '|')) and not(contains(substring($spoken, 1, 5), '('))">differential</xsl:when>
        <xsl:when test="contains($one-of-several, concat('|', $bare, '|')) and contains($all[1], ':')">differential</xsl:when>
        <xsl:when test="contains($one-of-several, concat('|', $two, '|')) or $two = 'differential diagnosis'">differential</xsl:when>
        <xsl:when test="contains($unsure-first, concat('|', $bare, '|')) or contains($unsure-first, concat('|', $two, '|')) or contains($unsure-first, concat('|', $two, ' ', $all[3], '|'))">unconfirmed</xsl:when>
        <xsl:when test="$alone and (contains($unsure-last, concat('|', $all[$count], '|')) or contains($unsure-last, concat('|', $end, '|')) or contains($unsure-last, concat('|', $all[$count - 1], ' ', $end, '|')))">unconfirmed</xsl:when>
        <xsl:when test="$clauses = 1 and $all[position() &gt; 1 and position() &lt; $count][. = 'vs' or . = 'vs.' or . = 'versus'] and not(contains($flat, 'host'))">differential</xsl:when>
      </xsl:choose>
    </xsl:if>
  </xsl:template>

  <!-- The first of the names that says how certain it is. -->
  <xsl:template name="unsure">
    <xsl:param name="names"/>
    <xsl:variable name="sure"><xsl:for-each select="$names"><xsl:variable name="one"><xsl:call-template name="unsure-words"><xsl:with-param name="name" select="."/></xsl:call-template></xsl:variable><xsl:if test="$one != ''"><xsl:value-of select="concat($one, ' ')"/></xsl:if></xsl:for-each></xsl:variable>
    <xsl:value-of select="substring-before($sure, ' ')"/>
  </xsl:template>

  <!-- How certain it is by the words of these names, where the status of the source (empty, or a code of HL7) does not say
       that it is less than certain. -->
  <xsl:template name="certainty-by-words">
    <xsl:param name="names"/>
    <xsl:param name="status"/>
    <xsl:param name="system"/>
    <xsl:variable name="unsure"><xsl:if test="string($status) = '' or $status = 'confirmed'"><xsl:call-template name="unsure"><xsl:with-param name="names" select="$names"/></xsl:call-template></xsl:if></xsl:variable>
    <xsl:if test="$unsure != ''">
      <xsl:call-template name="listed">
        <xsl:with-param name="field" select="'verificationStatus'"/>
        <xsl:with-param name="code"><xsl:if test="contains($system, 'allergy')">unconfirmed</xsl:if><xsl:if test="not(contains($system, 'allergy'))"><xsl:value-of select="$unsure"/></xsl:if></xsl:with-param>
        <xsl:with-param name="system" select="$system"/>
      </xsl:call-template>
    </xsl:if>
  </xsl:template>

  <!-- The dates among values that lie outside of 1800 to 2199 or are no days; 0001 and 9999 stand for no date. -->
  <xsl:template name="odd-dates">
    <xsl:param name="values"/>
    <!-- Those of the values, each between bars, that are no days. -->
    <xsl:param name="impossible"/>
    <xsl:variable name="odd" select="$values[substring(., 1, 4) &gt; 2199 or substring(., 1, 4) &lt; 1800 or contains($impossible, concat('|', ., '|'))][substring(., 1, 4) != 9999 and substring(., 1, 4) &gt; 1]"/>
    <xsl:if test="$odd"><xsl:attribute name="sent-odd-dates"><xsl:for-each select="$odd"><xsl:if test="position() > 1">, </xsl:if><xsl:value-of select="normalize-space()"/></xsl:for-each></xsl:attribute></xsl:if>
  </xsl:template>

  <!-- Words in the form in which they are compared: small letters, single spaces, plain apostrophes. -->
  <xsl:template name="plain-words">
    <xsl:param name="words"/>
    <xsl:value-of select="translate(normalize-space($words), &quot;ABCDEFGHIJKLMNOPQRSTUVWXYZ&#x2019;&quot;, &quot;abcdefghijklmnopqrstuvwxyz'&quot;)"/>
  </xsl:template>
</xsl:stylesheet>
